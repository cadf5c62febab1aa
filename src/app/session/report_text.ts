/** Sentences about a report, shared by the status bar, the panels and a link's summary; and the summary itself. */
import { count } from '../../base/english'
import { code, message, plainText, type Message } from '../../base/message'
import type { EntryReport, PassReport, Report, TreeNode } from '../../engine/protocol'
import { emptyEntry, emptyPass, emptyReport } from '../../engine/report/empty'
import type { FiredSummary, ReportSummary } from '../../workspace/types'
import { entryKey, indexOf, markOf } from './report_index'

export function totalMatches(report: Report): number {
  return report.passes.reduce((n, p) => n + p.count, 0)
}

/** `32 matches`, over all passes; `0 matches, 2 if the shapes allow`. */
export function statusText(report: Report | null): string {
  if (!report) return 'No run yet'
  const places = unshapedPlaces(report)
  const more = places > 0 ? `, ${places} if the shapes allow` : ''
  return count(totalMatches(report), 'match', 'matches') + more
}

/** Number of places where all nodes of a pattern align and the graph lacks the shapes that decide. */
export const unshapedPlaces = ({ passes }: Report): number =>
  passes.reduce((n, { unshaped = [] }) => n + new Set(unshaped.map((p) => p.node)).size, 0)

/** "16 variants: 1 fired 32 times, 15 did not fire". */
export function variantsSentence(node: TreeNode): string {
  const fired = leavesOf(node).filter((l) => l.fired > 0)
  const silent = node.leaves - fired.length
  const head = node.leaves === 1 ? '1 pattern' : `${node.leaves} ${node.kind === 'pass' ? 'patterns' : 'variants'}`
  if (fired.length === 0) return `${head}: none fired`
  const times = `${fired.length} fired ${fired.length > 1 ? 'together ' : ''}${count(node.fired, 'time')}`
  return silent === 0
    ? `${head}: ${fired.length === node.leaves && node.leaves > 1 ? 'all ' : ''}${times}`
    : `${head}: ${times}, ${silent} did not fire`
}

export function leavesOf(node: TreeNode): TreeNode[] {
  return node.kind === 'leaf' ? [node] : node.children.flatMap(leavesOf)
}

/** The bindings that distinguish an entry from its siblings: `quant_key=kFp8Dynamic128Sym, transposed=False`. */
export function bindingsText(entry: EntryReport, siblings: readonly EntryReport[]): string {
  const others = siblings.filter((e) => e.title === entry.title)
  return Object.entries(entry.bindings)
    .filter(([k, v]) => others.length < 2 || others.some((o) => o.bindings[k] !== v))
    .map(([k, v]) => `${k}=${v}`)
    .join(', ')
}

/** The reasons why a run has no match, the most important first. */
export function explanations(report: Report): Message[] {
  const notes: Message[] = []
  for (const pass of report.passes) {
    const name = code(pass.name)
    if (pass.applyError) notes.push(message`${name} raised while it was applied: ${pass.applyError}`)
    for (const miss of pass.nearMisses) if (!miss.taken) notes.push(miss.parts)
    if (pass.entries.length === 0) notes.push(message`${name} has no pattern: no register_replacement call used it.`)
    else if (pass.count === 0 && pass.nearMisses.length === 0 && !pass.applyError)
      notes.push(message`${name} has no near misses in this graph (${count(pass.entries.length, 'pattern')}).`)
  }
  return notes
}

export function summaryOf(report: Report): ReportSummary {
  return {
    nodesBefore: report.graph.nodes.length,
    nodesAfter: report.after?.nodes.length ?? null,
    passes: report.passes.map((p) => ({
      name: p.name,
      count: p.count,
      entries: p.entries.length,
      fired: firedOf(report, p),
    })),
    ...matchesOf(report),
    notes: [
      ...(report.python ? [`${report.python.type}: ${report.python.message}`] : []),
      ...explanations(report).map(plainText),
    ].slice(0, 8),
  }
}

/**
 * Maximum number of node names in a link, to keep it short; longer lists are highlighted after the link's code has run.
 */
const NAMES_IN_A_LINK = 3000

function matchesOf(report: Report): Pick<ReportSummary, 'matches'> {
  const matches = report.passes.flatMap((p) =>
    p.matches.map(({ index, entry, node, nodes }) => ({ pass: p.name, index, entry, node, nodes })),
  )
  return matches.reduce((n, m) => n + m.nodes.length, 0) > NAMES_IN_A_LINK ? {} : { matches }
}

/** A link's summary as a report, shown until its code has run. */
export function reportOf(summary: ReportSummary): Report {
  const passes = summary.passes.map((p): PassReport => {
    const fired = new Map(p.fired.map((f) => [f.entry, f]))
    const size = Math.min(p.entries, 10_000)
    return {
      ...emptyPass(p.name),
      count: p.count,
      entries: Array.from({ length: size }, (_, index) => ({
        ...emptyEntry(index, fired.get(index)?.title ?? ''),
        fired: fired.get(index)?.count ?? 0,
      })),
      matches: (summary.matches ?? [])
        .filter((m) => m.pass === p.name && m.entry < size)
        .map((m) => ({ ...m, outputs: [], inputs: {}, map: [], added: [] })),
    }
  })
  const report: Report = { ...emptyReport(), passes }
  for (const p of summary.passes)
    for (const { entry, letter, colour } of p.fired)
      if (letter !== undefined && colour !== undefined)
        indexOf(report).marks.set(entryKey(p.name, entry), { letter, color: colour })
  return report
}

function firedOf(report: Report, pass: PassReport): FiredSummary[] {
  return pass.entries
    .filter((e) => e.fired > 0)
    .map((e) => {
      const { letter, color } = markOf(report, pass.name, e.index)
      return { entry: e.index, title: e.title, count: e.fired, letter, colour: color }
    })
}
