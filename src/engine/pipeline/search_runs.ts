/**
 * The searches of SubgraphMatcher that a stage made, as passes. Searches that find nothing in one state of the graph are patterns of
 * one pass.
 */
import type { Graph, Node } from '../../fx'
import type { AppliedMatch, Attempt, EntryView } from '../../matcher'
import type { Search, SearchMatch } from '../../python/pass_call'
import { decomposed, decompositionOf } from '../../trace/decomposition'
import type { UnkeyedPassRun } from './apply_pass'
import type { PipelineContext } from './context'

/** @param stage `after`: the graph that it made of `source`; `raised`: the exception that ended it */
export function searchRuns(
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

/** True for the graph itself, at any time, and for a copy; false for another one, as of a submodule. */
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
