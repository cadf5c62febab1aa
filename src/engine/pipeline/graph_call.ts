/** Calls code that edits the graph itself: a function or an object applied to a graph, without patterns. */
import { clone, type Graph, type Node } from '../../fx'
import { PythonError, type AppliedMatch, type Attempt, type EntryView } from '../../matcher'
import { cutText } from '../../python/bounds'
import { callText } from '../../python/edit_log'
import type { AskedCondition, GraphEdit, RecordedCall, Search, SearchMatch } from '../../python/pass_call'
import type { FoundStage } from '../../python/types'
import { TorchError } from '../../trace/types'
import { Watch } from '../invariants/changes'
import { findViolations } from '../invariants/check'
import { conditionsOf } from './conditions'
import type { PipelineContext } from './context'
import { applyPass, snapshotOf, type PassId, type UnkeyedPassRun } from './apply_pass'
import type { GraphCopy } from './stage_graphs'
import type { StageEdit, StageEffects } from './types'
import { decomposed, decompositionOf } from '../../trace/decomposition'

/** Maximum number of characters of an edit in a report. */
const MAX_TEXT = 400

/**
 * @param source not modified
 * @param own the names of the passes that have stages of their own in this run
 */
export function callOnGraph(
  source: Graph,
  stage: FoundStage,
  own: ReadonlyMap<number, string>,
  context: PipelineContext,
): GraphCopy & { did: StageEffects; searches: UnkeyedPassRun[]; applied: UnkeyedPassRun[] } {
  const started = performance.now()
  const copy = copyOf(source)
  const applied: UnkeyedPassRun[] = []
  const watch = context.detail === 'report' ? new Watch(copy.after) : null
  let error: string | null = null
  let replaced: number | null = null
  let asked: readonly AskedCondition[] = []
  let call: RecordedCall
  let raised: UnkeyedPassRun['raised'] = null
  try {
    const made = context.host.callPass(
      stage.callable!,
      copy.after,
      (passId) => {
        const run = applyMade({ variable: own.get(passId) ?? stage.variable, passId }, copy.after, context)
        // Its own stage explains what it left unchanged.
        if (!own.has(passId) || run.count > 0 || run.raised) applied.push(run)
        if (run.raised) throw new PythonError(run.raised.pythonType, run.raised.message, [])
        return run.count
      },
      context.detail === 'report',
    )
    call = made
    asked = made.asked
    replaced = made.replaced
    error = missingError(made.missing)
  } catch (e) {
    if (!(e instanceof PythonError || e instanceof TorchError)) throw e
    error = `${e.pythonType}: ${e.message}`
    raised = { pythonType: e.pythonType, message: e.message }
    call = context.host.lastCall()
  }
  const ms = performance.now() - started
  const violations = watch ? findViolations(watch, [], context.tracer) : []
  const edits = plainEdits(call.edits, source, copy)
  const did: StageEffects = {
    count: replaced,
    notes: [...(stage.note === undefined ? [] : [stage.note]), ...unexplained(call)],
    error,
    ms,
    ...(violations.length > 0 && { broken: violations.map((v) => v.sentence) }),
    ...(context.detail === 'report' && edits.length > 0 && { edits }),
    ...(call.leftOut > 0 && { editsLeftOut: call.leftOut }),
    ...(asked.length > 0 && { conditions: conditionsOf(asked, source) }),
  }
  const searches = searchRuns(stage.variable, call.searches, { source, after: copy.after, raised }, context)
  return { ...copy, did, searches, applied }
}

/** Applies a pass to the current graph when the code asks for it. */
function applyMade(pass: PassId, graph: Graph, context: PipelineContext): UnkeyedPassRun {
  const { graph: before, copies } = snapshotOf(graph)
  return applyPass(pass, { before, after: graph, copies }, context)
}

/** Notes that the near misses are incomplete. */
const unexplained = ({ searches, searchesLeftOut }: RecordedCall): string[] =>
  searchesLeftOut === 0
    ? []
    : [
        `SubgraphMatcher searched ${searches.length + searchesLeftOut} times; the first ${searches.length} searches are explained.`,
      ]

/** The result lacks the effect of a missing function. */
function missingError(missing: readonly string[]): string | null {
  if (missing.length === 0) return null
  return `NotImplementedError: the code called ${missing.join(', ')} with the graph; Fusescope lacks it, so its effect on the graph is missing here.`
}

function copyOf(source: Graph): GraphCopy {
  const { graph: after, map: copies } = clone(source)
  return { after, copies }
}

/** The edits with node names. A node of a graph that the code created itself is identified by its name. */
function plainEdits(edits: readonly GraphEdit[], source: Graph, { after, copies }: GraphCopy): StageEdit[] {
  const origins = new Map([...copies].map(([node, copy]) => [copy, node]))
  return edits.flatMap((edit): StageEdit[] => {
    const { call, node, text, users, frames } = edit
    const own = node.graph === after
    const found = own ? (node.erased ? undefined : node) : after.find(node.name)
    const origin = own ? origins.get(node) : source.find(node.name)
    // Copying a node is not an edit.
    if (!own && call === 'create_node' && origin && text === callText(origin)) return []
    const [line, ...callers] = frames
    return [
      {
        call,
        node: (found ?? origin ?? node).name,
        in: found ? 'after' : origin ? 'before' : null,
        text: cutText(text, MAX_TEXT),
        ...(users.length > 0 && { users: users.map((n) => n.name) }),
        source: line ?? null,
        ...(callers.length > 0 && { callers }),
      },
    ]
  })
}

/**
 * The searches of SubgraphMatcher in a stage, as passes. Searches that find nothing in the same state of the graph become patterns
 * of one pass.
 * @param stage `after`: the graph that it made from `source`; `raised`: the exception that ended it
 */
function searchRuns(
  name: string,
  searches: readonly Search[],
  { source, after, raised }: { source: Graph } & Pick<UnkeyedPassRun, 'after' | 'raised'>,
  context: Pick<PipelineContext, 'schemaOf' | 'tracer'>,
): UnkeyedPassRun[] {
  const groups: Search[][] = []
  for (const search of searches) {
    const last = groups.at(-1)
    const together = last?.[0]!.searched === search.searched && [...last, search].every(missed)
    if (together) last!.push(search)
    else if (isLike(search.searched, source)) groups.push([search])
  }
  return groups.map((group) => ({ ...searchRun(name, group[0]!.searched, group, after, context), raised }))
}

const missed = ({ found }: Search): boolean => found.every((m) => m.drop)

/** True for the graph itself, at any time, and for a copy; false for a different graph, such as a submodule's. */
function isLike(graph: Graph, source: Graph): boolean {
  const kept = [...graph.nodes()].filter((n) => source.find(n.name)?.target === n.target)
  return kept.length * 2 >= Math.min(graph.size, source.size)
}

function searchRun(
  name: string,
  before: Graph,
  searches: readonly Search[],
  after: Graph,
  { schemaOf, tracer }: Pick<PipelineContext, 'schemaOf' | 'tracer'>,
): UnkeyedPassRun {
  const found = searches.flatMap((search, entry) => search.found.map((match) => ({ entry, match })))
  const matches = found.flatMap(({ entry, match }) => (match.drop ? [] : [appliedMatch(entry, match)]))
  const copies = new Map<Node, Node>()
  for (const node of before.nodes()) {
    const copy = after.find(node.name)
    if (copy) copies.set(node, copy)
  }
  return {
    passId: null,
    before,
    after,
    copies,
    count: matches.length,
    matches,
    raised: null,
    violations: [],
    toExplain: {
      name,
      graph: before,
      entries: searches.map(entryOf),
      attempts: found.map(attemptOf),
      matches,
      applyError: null,
      schemaOf,
      decomposition: (node) => decompositionOf(node, tracer),
      decomposed: (call, input) => decomposed(call, () => input, tracer),
      specific: () => null,
    },
    applyMs: 0,
    checkMs: 0,
  }
}

function appliedMatch(entry: number, match: SearchMatch): AppliedMatch {
  const { drop: _drop, reads: _reads, returned: _returned, ...applied } = match
  return { entry, ...applied }
}

const attemptOf = ({ entry, match }: { entry: number; match: SearchMatch }): Attempt => ({
  entry,
  phase: 'initial',
  node: match.node,
  ok: true,
  reason: null,
  nodes: match.nodes,
  ...(match.drop && { dropped: match.drop.kind, dropReason: match.drop }),
  ...(match.reads && { reads: match.reads }),
  ...(match.returned && { returned: match.returned }),
})

function entryOf({ registration, pattern }: Search, index: number): EntryView {
  const output = pattern.output()
  const sinks = (output?.inputs() ?? []).filter((n) => n.users.size === 1)
  return {
    index,
    number: index,
    registration,
    text: registration.title,
    printable: false,
    keys: [...new Set(sinks.map((n) => `${n.op}:${n.target}`))],
    searchGraph: pattern,
  }
}
