/** What stopped a match that held: barriers, checks, re-traces, and the errors that end a pass. */
import type { Node } from '../../fx'
import { isMutationOp } from '../../matcher/mutation_regions'
import type { SchemaLookup } from '../../matcher/schema_facts'
import type { Attempt } from '../../matcher/types'
import type { GraphIndex } from '../align/anchors'
import { makeCause, type Cause } from '../causes'
import { refusedByCheck } from './extra_check'
import { listed } from '../../base/english'

/** The cause of an attempt that matched and was dropped. */
export function droppedCause(attempt: Attempt, title: string, index: GraphIndex, schemaOf: SchemaLookup): Cause {
  const why = attempt.dropped ?? ''
  const nodes = (attempt.nodes ?? []).flatMap((n) => index.byName.get(n) ?? [])
  if (why.includes('mutation regions')) return mutationBarrier(nodes, schemaOf)
  if (why.includes('streams')) return streamBarrier(nodes)
  if (why.startsWith('extra_check')) return refusedByCheck(attempt, title)
  return makeCause({
    kind: 'retrace-error',
    graphNode: attempt.node,
    sentence: `the nodes match at ${attempt.node}, and then ${why}`,
  })
}

function mutationBarrier(nodes: readonly Node[], schemaOf: SchemaLookup): Cause {
  const ordered = [...nodes].sort((a, b) => a.sortKey - b.sortKey)
  const first = ordered[0]
  const last = ordered.at(-1)
  const between: Node[] = []
  for (let n = first; n && n !== last;) {
    n = n.next
    if (isMutationOp(n, schemaOf)) between.push(n)
  }
  const names = between.map(
    (n) => `${n.name} (${n.target}${!/_\.|_$/.test(n.target) && n.kwargs.has('out') ? ' with out=' : ''})`,
  )
  return makeCause({
    kind: 'mutation-barrier',
    graph: between[0] ?? null,
    expected: 'one mutation region',
    found: between.map((n) => n.target).join(', ') || 'two mutation regions',
    sentence:
      between.length === 0
        ? 'the match spans two mutation regions and is dropped'
        : `everything matches, but ${listed(names)} writes to a tensor between ${first!.name} and ${last!.name}, and a match may not span a mutation`,
  })
}

function streamBarrier(nodes: readonly Node[]): Cause {
  const place = (n: Node): string => {
    const { stream = 0, mempool } = n.meta.custom ?? {}
    return `stream ${String(stream)}${mempool == null ? '' : `, mempool ${String(mempool)}`}`
  }
  const first = nodes[0]
  const other = nodes.find((n) => first && place(n) !== place(first))
  return makeCause({
    kind: 'stream-barrier',
    graph: other ?? null,
    expected: first ? place(first) : null,
    found: other ? place(other) : null,
    sentence:
      first && other
        ? `everything matches, but ${first.name} is on ${place(first)} and ${other.name} on ${place(other)}, and a match must lie in one`
        : 'the match spans two streams or memory pools and is dropped',
  })
}

/** The cause of an exception that ended a pass. @param last the last attempt that matched */
export function applyErrorCause(
  error: string,
  last: Attempt | null,
  entry: { title: string; checked: boolean } | null,
): Cause {
  if (/Not all inputs to pattern found/.test(error)) {
    const argument = /\bargname=(\w+)/.exec(error)?.[1] ?? null
    return makeCause({
      kind: 'unused-argument',
      argument,
      sentence: `${argument === null ? 'an argument' : `the argument ${argument}`} of the search function of ${entry?.title ?? 'the pattern'} is unused once traced, and PyTorch ends the pass there (${error.split('. ')[0]})`,
      ...(last ? { entry: last.entry, graphNode: last.node } : {}),
    })
  }
  const checked = entry?.checked && last?.phase === 'specific'
  return makeCause({
    kind: checked ? 'extra-check' : 'replacement-error',
    expected: checked ? 'a bool' : null,
    found: error,
    sentence: checked
      ? `everything matches at ${last!.node}, and the extra_check of ${entry!.title} raised ${error}; the pass ends there`
      : `the match at ${last?.node ?? 'a node'} holds, and then the replacement of ${entry?.title ?? 'the pattern'} raised ${error}; the pass ends there`,
    ...(last ? { entry: last.entry, graphNode: last.node } : {}),
  })
}

/** The cause in an exception of the user's own Python run, when it is one of register_replacement's. */
export function registrationCause(problem: {
  type: string
  message: string
  frames: readonly { file: string; line: number }[]
}): Cause | null {
  const at = problem.frames.at(-1) ?? null
  if (/^Duplicate pattern/.test(problem.message)) {
    const cause = makeCause({
      kind: 'duplicate-pattern',
      sentence: `this pattern is registered twice in one pass${at ? ` (the second time at ${at.file}:${at.line})` : ''}, which register_replacement refuses; skip_duplicates=True allows it`,
    })
    return { ...cause, source: at }
  }
  if (/^obj has no pretty_print method/.test(problem.message)) {
    const cause = makeCause({
      kind: 'structure',
      expected: 'an operator',
      found: 'none',
      sentence: `this search function traces to no operator${at ? ` (${at.file}:${at.line})` : ''}: it returns its argument as it is, or what it calls does nothing (a dropout of p = 0, say), and register_replacement refuses it`,
    })
    return { ...cause, source: at }
  }
  return null
}

/** No pass at all: nothing that could hold a pattern. */
export const noPass = (): Cause =>
  makeCause({
    kind: 'not-registered',
    expected: 'a PatternMatcherPass at module level',
    found: 'none',
    sentence: 'no variable of the module holds a PatternMatcherPass, so no pattern is registered',
  })
