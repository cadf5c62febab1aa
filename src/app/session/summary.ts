/** A link's summary: made from a report, and shown as a report until the link's code has run. */
import { plainText, worded, type Message } from '../../base/message'
import type { Cause, GraphView, NearMiss, PassReport, Report, SourceRef } from '../../engine/protocol'
import { emptyEntry, emptyNode, emptyPass, emptyReport } from '../../engine/report/empty'
import type { CarriedCause, CarriedLine, CarriedNearMiss } from '../../workspace/carried'
import type { CarriedPattern } from '../../workspace/carried_steps'
import type { FiredSummary, PassSummary, ReportSummary, SummaryMatch, Workspace } from '../../workspace/types'
import { entryKey, indexOf, markOf } from '../../engine/queries/report_index'
import { explanations } from '../../engine/queries/report_text'
import { fileOf, textOf } from './workspace_store'

/** Near misses by the name of their pass. */
export type NearMissesByPass = ReadonlyMap<string, readonly CarriedNearMiss[]>

/** Further content of a link beside counts, matches and near misses: the result on screen. */
export type CarriedScreen = Pick<ReportSummary, 'run' | 'steps' | 'pin' | 'after' | 'stage'>

/** An entry by its pass: named in the link, so that views can show it. */
export interface EntryRef {
  pass: string
  entry: number
}

/** @param carried the near misses in the link; absent: not known yet @param named entries that `screen` refers to */
export function summaryOf(
  report: Report,
  carried?: NearMissesByPass,
  screen: CarriedScreen = {},
  named: readonly EntryRef[] = [],
): ReportSummary {
  const namedIn = (pass: string): number[] => named.flatMap((r) => (r.pass === pass ? [r.entry] : []))
  return {
    nodesBefore: report.graph.nodes.length,
    nodesAfter: report.after?.nodes.length ?? null,
    passes: report.passes.map((p) => passSummary(report, p, carried && (carried.get(p.name) ?? []), namedIn(p.name))),
    ...matchesOf(report, screen.after !== undefined),
    ...screen,
    notes: [
      ...(report.python ? [`${report.python.type}: ${report.python.message}`] : []),
      ...explanations(report).map(plainText),
    ].slice(0, 8),
  }
}

function passSummary(
  report: Report,
  pass: PassReport,
  carried: readonly CarriedNearMiss[] | undefined,
  named: readonly number[],
): PassSummary {
  const missing = carried ? pass.nearMisses.filter((m) => !m.taken).length - carried.length : 0
  return {
    name: pass.name,
    count: pass.count,
    entries: pass.entries.length,
    fired: entriesOf(report, pass, new Set([...(carried ?? []).map((m) => m.entry), ...named])),
    ...(carried && carried.length > 0 && { nearMisses: [...carried] }),
    ...(missing > 0 && { nearMissesLeftOut: missing }),
  }
}

function entriesOf(report: Report, pass: PassReport, missed: ReadonlySet<number>): FiredSummary[] {
  return pass.entries
    .filter((e) => e.fired > 0 || missed.has(e.index))
    .map((e) => {
      const { letter, color } = markOf(report, pass.name, e.index)
      const bindings = missed.has(e.index) && Object.keys(e.bindings).length > 0 ? { bindings: e.bindings } : {}
      return { entry: e.index, title: e.title, count: e.fired, letter, colour: color, ...bindings }
    })
}

/** Maximum number of node names in a link, to keep it short; longer lists are highlighted only after the link's code has run. */
const NAMES_IN_A_LINK = 3000

function matchesOf(report: Report, after: boolean): Pick<ReportSummary, 'matches'> {
  const matches = report.passes.flatMap((p) =>
    p.matches.map(({ index, entry, node, nodes, added }): SummaryMatch => ({
      ...{ pass: p.name, index, entry, node, nodes },
      ...(after && { added }),
    })),
  )
  return matches.reduce((n, m) => n + m.nodes.length, 0) > NAMES_IN_A_LINK ? {} : { matches }
}

/** A link's summary as a report. @param graph the graph, once it is read @param after the graph after the passes, likewise */
export function reportOf(
  summary: ReportSummary,
  workspace: Workspace,
  graph?: GraphView,
  after: GraphView | null = null,
): Report {
  const patterns = patternsOf(summary)
  const passes = summary.passes.map((p): PassReport => {
    const known = new Map(p.fired.map((f) => [f.entry, f]))
    const size = Math.min(p.entries, 10_000)
    return {
      ...emptyPass(p.name),
      count: p.count,
      entries: Array.from({ length: size }, (_, index) => ({
        ...emptyEntry(index, known.get(index)?.title ?? ''),
        pattern: patterns.get(entryKey(p.name, index)) ?? NO_GRAPH,
        bindings: known.get(index)?.bindings ?? {},
        fired: known.get(index)?.count ?? 0,
      })),
      matches: (summary.matches ?? [])
        .filter((m) => m.pass === p.name && m.entry < size)
        .map((m) => ({ ...m, outputs: [], inputs: {}, map: [], added: m.added ?? [] })),
      nearMisses: (p.nearMisses ?? []).filter((m) => m.entry < size).map((m) => nearMissOf(m, workspace)),
    }
  })
  const report: Report = { ...emptyReport(), ...(graph && { graph }), after, passes }
  for (const p of summary.passes)
    for (const { entry, letter, colour } of p.fired)
      if (letter !== undefined && colour !== undefined)
        indexOf(report).marks.set(entryKey(p.name, entry), { letter, color: colour })
  return report
}

const NO_GRAPH: GraphView = { nodes: [], problems: [] }

/** The patterns that the carried steps compare, by entry. */
function patternsOf({ steps }: ReportSummary): Map<string, GraphView> {
  return new Map(steps?.patterns.map((p) => [entryKey(steps.pass, p.entry), patternView(p)]))
}

function patternView({ nodes }: CarriedPattern): GraphView {
  const users = nodes.map((_, i) => nodes.flatMap((n, j) => (n.inputs.includes(i) ? [j] : [])))
  const views = nodes.map((n, i) => ({ ...emptyNode(n.name, n.op, n.target), ...n, users: users[i]! }))
  return { nodes: views, problems: [] }
}

export function nearMissOf({ unshaped, causes, why, ...miss }: CarriedNearMiss, workspace: Workspace): NearMiss {
  return {
    ...miss,
    why,
    ...worded(why),
    mismatch: null,
    reason: '',
    taken: false,
    ...(unshaped && { dropReason: { kind: 'unknown-shape', ...unshaped, arguments: [] } }),
    causes: causes.map((c) => causeOf(c, miss, workspace)),
  }
}

/** PyTorch's first mismatch replaces the reason, because a link does not carry its facts. */
function causeOf(carried: CarriedCause, { count, phase }: Pick<NearMiss, 'count' | 'phase'>, of: Workspace): Cause {
  return {
    ...carried,
    ...(carried.fixes && { fixes: carried.fixes.map((fix) => ({ ...fix, sent: true as const })) }),
    source: carried.source && withCode(carried.source, of),
    reason: { kind: 'first-mismatch', attempts: count, phase, mismatch: null, text: '' },
    sentence: plainText(carried.parts as Message),
  }
}

export function withCode({ file, line }: CarriedLine, workspace: Workspace): SourceRef {
  const code = textOf(workspace, fileOf(workspace, file) ?? file)?.split('\n')[line - 1]
  return { file, line, ...(code !== undefined && { code }) }
}
