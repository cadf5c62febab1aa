/** Indexes of a report that all views use, computed once per report. */
import { memoizeByObject } from '../../base/memoize'
import type { PipelineStage, StageEdit } from '../pipeline/types'
import type { EntryReport, GraphView, MatchReport, NodeView, PassReport, Report } from '../protocol'

export interface MatchRef {
  pass: PassReport
  match: MatchReport
  entry: EntryReport
}

export interface ReportIndex {
  /** Matches by node of the graph before; a node can be in one match per pass. */
  byNode: Map<string, MatchRef[]>
  /** Matches by node that their replacement added to the graph after. */
  byAdded: Map<string, MatchRef[]>
  matches: MatchRef[]
  /** Key of a pass and entry → its color and letter. */
  marks: Map<string, PatternMark>
}

/** An edit by code on the graph. */
export interface EditRef {
  stage: PipelineStage
  edit: StageEdit
}

/** The edits of all stages, in order. */
export const editsOf = memoizeByObject(({ pipeline }: Report): readonly EditRef[] =>
  (pipeline?.stages ?? []).flatMap((stage) => (stage.did?.edits ?? []).map((edit) => ({ stage, edit }))),
)

/** The stages that the user's code defines: patterns, and code on the graph. */
export const ownStages = ({ pipeline }: Report): readonly PipelineStage[] =>
  (pipeline?.stages ?? []).filter((s) => s.kind === 'pass' || s.kind === 'call')

/** The badge of a pattern: a palette color and a letter, with a number for one of several variants. */
export interface PatternMark {
  color: number
  letter: string
}

export const entryKey = (pass: string, entry: number): string => `${pass}\u0000${entry}`

/** True if a pass of the report is not explained yet. */
export const isExplaining = (report: Report): boolean => report.passes.some((p) => p.explained === false)

export const indexOf = memoizeByObject((report: Report): ReportIndex => {
  const index: ReportIndex = { byNode: new Map(), byAdded: new Map(), matches: [], marks: patternMarks(report) }
  const put = (map: Map<string, MatchRef[]>, key: string, ref: MatchRef): void => {
    const list = map.get(key)
    if (list) list.push(ref)
    else map.set(key, [ref])
  }
  for (const pass of report.passes)
    for (const match of pass.matches) {
      const entry = pass.entries[match.entry]
      if (!entry) continue
      const ref = { pass, match, entry }
      index.matches.push(ref)
      for (const n of match.nodes) put(index.byNode, n, ref)
      for (const n of match.added) put(index.byAdded, n, ref)
    }
  return index
})

/**
 * Assigns color and letter by class (the title), in order of registration, so that they are stable while variants
 * change; each of several variants also has a number: A1, A2.
 */
export function patternMarks(report: Report): Map<string, PatternMark> {
  const marks = new Map<string, PatternMark>()
  const classes = new Map<string, { rank: number; count: number }>()
  const keyOf = (pass: PassReport, e: EntryReport): string => `${pass.name}\u0000${e.title}`
  for (const pass of report.passes)
    for (const e of pass.entries) {
      const key = keyOf(pass, e)
      const c = classes.get(key)
      if (c) c.count++
      else classes.set(key, { rank: classes.size, count: 1 })
    }
  const seen = new Map<string, number>()
  for (const pass of report.passes)
    for (const e of pass.entries) {
      const key = keyOf(pass, e)
      const c = classes.get(key)!
      const nth = (seen.get(key) ?? 0) + 1
      seen.set(key, nth)
      const letter = letterOf(c.rank) + (c.count > 1 ? nth : '')
      marks.set(entryKey(pass.name, e.index), { color: c.rank % 8, letter })
    }
  return marks
}

/** A … Z, AA, AB … */
export function letterOf(n: number): string {
  const rest = Math.floor(n / 26)
  return (rest > 0 ? letterOf(rest - 1) : '') + String.fromCharCode(65 + (n % 26))
}

export function markOf(report: Report, pass: string, entry: number): PatternMark {
  return indexOf(report).marks.get(entryKey(pass, entry)) ?? { color: 7, letter: '?' }
}

/** Name → index in `graph.nodes`. */
export const positions = memoizeByObject(
  (graph: GraphView): Map<string, number> => new Map(graph.nodes.map((n, i) => [n.name, i])),
)

export function nodeNamed(graph: GraphView | null, name: string): NodeView | null {
  if (!graph) return null
  const i = positions(graph).get(name)
  return i === undefined ? null : (graph.nodes[i] ?? null)
}

export function passNamed(report: Report | null, name: string): PassReport | null {
  return report?.passes.find((p) => p.name === name) ?? null
}
