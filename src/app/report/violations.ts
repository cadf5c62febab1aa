/** Violations of rewrites, for the panels' lists and the canvas's marks. */
import { memoizeLast } from '../../base/memoize'
import type { EntryReport, GraphView, PassReport, Report, Violation } from '../../engine/protocol'
import { indexOf, positions } from '../../engine/queries/report_index'

/** Equal violations: the same kind, pattern, and values before and after. */
export interface FoldedViolation {
  pass: PassReport
  entry: EntryReport | null
  /** The first of them. */
  violation: Violation
  /** Nodes of the others. */
  others: string[]
}

export function foldViolations(pass: PassReport): FoldedViolation[] {
  const found = new Map<string, FoldedViolation>()
  for (const violation of pass.violations ?? []) {
    const match = violation.match === null ? null : pass.matches[violation.match]
    const entry = match ? (pass.entries.find((e) => e.index === match.entry) ?? null) : null
    const key = JSON.stringify([violation.kind, entry?.index, violation.was, violation.is])
    const seen = found.get(key)
    if (seen) seen.others.push(violation.node)
    else found.set(key, { pass, entry, violation, others: [] })
  }
  return [...found.values()]
}

/** Node name → sentence of the first violation at it. */
export type ViolationNotes = ReadonlyMap<string, string>

export const NO_VIOLATIONS: ViolationNotes = new Map()

/** Nodes to mark. In the graph before: the wrongly replaced node or, if there is none, the anchor of the match. */
export function violationNotes(report: Report | null, graph: GraphView, side: 'before' | 'after'): ViolationNotes {
  return report?.passes.some((p) => p.violations) ? notesOnSide[side](report.passes, graph, side) : NO_VIOLATIONS
}

/** One memo per side: the split view reads both alternately. */
const notesOnSide = { before: memoizeLast(violationNotesOf), after: memoizeLast(violationNotesOf) }

/** Nodes to mark for some passes, in the graph before or after them. */
export function violationNotesOf(
  passes: readonly PassReport[],
  graph: GraphView,
  side: 'before' | 'after',
): ViolationNotes {
  const known = positions(graph)
  const found = new Map<string, string>()
  for (const pass of passes)
    for (const v of pass.violations ?? []) {
      const anchor = v.match === null ? undefined : pass.matches[v.match]?.node
      const name = side === 'after' ? v.node : (v.before ?? anchor)
      if (name !== undefined && known.has(name) && !found.has(name)) found.set(name, v.sentence)
    }
  return found
}

/** Violations at a node, on either side of the rewrite. */
export function violationsAt(report: Report, node: string, side: 'before' | 'after'): Violation[] {
  const put = side === 'after' ? [] : (indexOf(report).byNode.get(node) ?? [])
  return report.passes.flatMap((pass) =>
    (pass.violations ?? []).filter((v) =>
      side === 'after'
        ? v.node === node
        : v.before === node || put.some((r) => r.pass === pass && r.match.index === v.match && r.match.node === node),
    ),
  )
}
