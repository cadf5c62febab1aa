/** Compares PyTorch's outcome at each node with the engine's. */
import type { Attempt } from '../../matcher'
import type { UnkeyedPassRun } from '../pipeline/apply_pass'
import { buildGraph } from './graphs'
import { firstDifference } from './same_graph'
import type { NodeVerdict, PyTorchVerdict, VerdictDifference } from './report_types'
import type { Capture, CapturedApplication, CapturedAttempt } from './records'

/** Maximum number of listed differences. */
const MAX_DIFFERENCES = 50
/** Length of a reason in a report, in characters. */
const MAX_REASON = 300

/** @param index index among the pass's entries, by the capture's id */
export function verdictOf(
  capture: Capture,
  application: CapturedApplication,
  run: UnkeyedPassRun,
  index: ReadonlyMap<number, number>,
): PyTorchVerdict {
  const ours = oursByNode(run, repeatedIn(capture, index))
  const theirs = new Map<string, NodeVerdict>()
  const nodes: NodeVerdict[] = []
  const full = new Map<NodeVerdict, string | null>()
  for (const attempt of application.attempts) {
    const entry = index.get(attempt.entry)
    if (entry === undefined) continue
    const { verdict, reason } = pytorchVerdict(attempt, entry)
    nodes.push(verdict)
    full.set(verdict, reason)
    theirs.set(`${entry} ${attempt.node}`, verdict)
  }
  const differences: VerdictDifference[] = []
  for (const [key, own] of ours) {
    const other = theirs.get(key)
    if (!other && !application.ended) continue
    if (
      other
        ? agrees(own, other, full.get(other)!)
        : own.atRoot || (own.outcome === 'failed' && application.attemptsLeftOut > 0)
    )
      continue
    differences.push({
      entry: own.entry,
      node: own.node,
      pytorch: other ? textOf(other) : NOT_TRIED,
      ours: textOf(own),
    })
  }
  for (const [key, other] of theirs)
    if (!ours.has(key))
      differences.push({ entry: other.entry, node: other.node, pytorch: textOf(other), ours: NOT_TRIED })
  differences.push(...wholeDifferences(capture, application, run, ours))
  const error = application.ended ? application.error : 'did not finish: the capture ends inside the pass'
  return {
    count: application.count,
    error,
    nodes,
    differences: differences.slice(0, MAX_DIFFERENCES),
    leftOut: application.attemptsLeftOut,
  }
}

const NOT_TRIED = 'fails at the anchor itself, or does not try it'

/** The capture's entry id → index among the entries of a replayed pass. @param idOf the capture's id for a registry number */
export const entryIndices = ({ toExplain }: UnkeyedPassRun, idOf: (number: number) => number): Map<number, number> =>
  new Map(toExplain.entries.map((e) => [idOf(e.number), e.index]))

/** The same for a pass that Python registered: patterns are matched by their texts. */
export function entriesByText(capture: Capture, application: CapturedApplication, { toExplain }: UnkeyedPassRun) {
  const index = new Map<number, number>()
  const free = [...toExplain.entries]
  for (const id of new Set(application.table.flatMap(([, , entries]) => entries))) {
    const at = free.findIndex((e) => e.text === capture.entries.get(id)?.text)
    if (at >= 0) index.set(id, free.splice(at, 1)[0]!.index)
  }
  return index
}

type OwnVerdict = NodeVerdict & { atRoot: boolean }

/** Entries whose root is a RepeatedExpr: an expression inside it fails at the anchor. */
function repeatedIn(capture: Capture, index: ReadonlyMap<number, number>): Set<number> {
  const repeated = [...index].filter(([id]) => capture.entries.get(id)?.pattern.expr === 'RepeatedExpr')
  return new Set(repeated.map(([, entry]) => entry))
}

/** The engine's outcome by entry and node. */
function oursByNode({ toExplain, matches }: UnkeyedPassRun, repeated: ReadonlySet<number>): Map<string, OwnVerdict> {
  const replaced = new Set(matches.map((m) => `${m.entry} ${m.node}`))
  const out = new Map<string, OwnVerdict>()
  let last: OwnVerdict | null = null
  for (const a of toExplain.attempts) {
    if (
      a.phase === 'specific' ||
      (last && last.node === a.node && last.entry === a.entry && last.phase === 'initial' && last.outcome !== 'failed')
    ) {
      if (last) Object.assign(last, { phase: 'specific', ...ownOutcome(a, replaced) })
      continue
    }
    last = {
      entry: a.entry,
      node: a.node,
      phase: 'initial',
      atRoot: !repeated.has(a.entry) && failsAtRoot(a),
      ...ownOutcome(a, replaced),
    }
    out.set(`${a.entry} ${a.node}`, last)
  }
  return out
}

function ownOutcome(a: Attempt, replaced: ReadonlySet<string>): Pick<NodeVerdict, 'outcome' | 'reason'> {
  if (!a.ok) return { outcome: 'failed', reason: a.reason }
  if (a.dropped !== undefined) return { outcome: 'dropped', reason: a.dropped }
  return replaced.has(`${a.entry} ${a.node}`)
    ? { outcome: 'replaced', reason: null }
    : { outcome: 'dropped', reason: 'an exception' }
}

/**
 * True for a failure of the anchor's own operator or number of arguments; a capture only counts such failures. Another output of a
 * multi-output pattern may fail there too, but only after a node agreed.
 */
const failsAtRoot = ({ mismatch, node, reached }: Attempt): boolean =>
  mismatch !== undefined &&
  reached?.length === 0 &&
  (mismatch.kind === 'function_mismatch' || mismatch.kind === 'arity') &&
  mismatch.graphNode === node

const DROPPED: Readonly<Record<string, string>> = {
  'mutation-regions': 'the match spans two mutation regions',
  streams: 'the match spans two streams or memory pools',
  arguments: 'an argument rules the match out',
  'extra-check': 'extra_check returned False',
}

function pytorchVerdict(a: CapturedAttempt, entry: number): { verdict: NodeVerdict; reason: string | null } {
  const { second, dropped } = a
  const failed = !a.ok ? a.reason : second && !second.ok ? second.reason : null
  const why = dropped && (dropped.why === 'trace' ? `the re-trace raised ${dropped.text}` : DROPPED[dropped.why]!)
  const reason = failed ?? why ?? a.raised
  const outcome = !a.ok || (second && !second.ok) ? 'failed' : a.applied && !a.raised ? 'replaced' : 'dropped'
  return {
    verdict: { entry, node: a.node, outcome, phase: second ? 'specific' : 'initial', reason: reason && cut(reason) },
    reason,
  }
}

const cut = (text: string): string => (text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text)

function agrees(own: OwnVerdict, other: NodeVerdict, reason: string | null): boolean {
  if (own.outcome !== other.outcome) return false
  if (own.outcome !== 'failed') return true
  if (reason === null || own.reason === null) return false
  const [theirs, ours] = [versionFree(reason), versionFree(own.reason)]
  // PyTorch 2.6 cannot format this reason.
  if (theirs.includes('{pattern!r}')) return ours.startsWith(theirs.slice(0, theirs.indexOf(':')))
  return theirs.endsWith('…') ? ours.startsWith(theirs.slice(0, -1)) : ours === theirs
}

/** PyTorch 2.6 prints functions of `operator` without their module. */
const versionFree = (reason: string): string => reason.replaceAll('operator.getitem', 'getitem')

function textOf(v: NodeVerdict): string {
  if (v.outcome === 'replaced') return 'replaces it'
  if (v.outcome === 'dropped') return `drops the match: ${cut(v.reason ?? 'no reason is recorded')}`
  return `fails in stage ${v.phase === 'specific' ? 'two' : 'one'}: ${cut(v.reason ?? '')}`
}

/** The count, the number of attempts that fail at the root, the exception and the graph after. */
function wholeDifferences(
  capture: Capture,
  application: CapturedApplication,
  run: UnkeyedPassRun,
  ours: ReadonlyMap<string, OwnVerdict>,
): VerdictDifference[] {
  const whole = (pytorch: string, own: string): VerdictDifference => ({ entry: null, node: null, pytorch, ours: own })
  if (!application.ended) return []
  const out: VerdictDifference[] = []
  const { applyError } = run.toExplain
  if ((application.error === null) !== (applyError === null))
    out.push(
      whole(
        application.error ? `raises ${cut(application.error)}` : 'ends',
        applyError ? `raises ${cut(applyError)}` : 'ends',
      ),
    )
  if (application.count !== null && application.count !== run.count)
    out.push(whole(`replaces ${application.count}`, `replaces ${run.count}`))
  const roots = [...ours.values()].filter((v) => v.atRoot && v.outcome === 'failed').length
  if (application.error === null && roots !== application.rootFailures)
    out.push(whole(`${application.rootFailures} attempts fail at their anchor`, `${roots} do`))
  const recorded = application.after === null ? undefined : capture.graphs.get(application.after)
  const differs = recorded && firstDifference(buildGraph(recorded), run.after)
  if (differs) out.push(whole(`leaves a graph that differs from ${differs} on`, 'leaves the graph that is shown'))
  return out
}
