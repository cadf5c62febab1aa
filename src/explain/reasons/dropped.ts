/** Causes of matches that held and were dropped: barriers, checks, re-traces, and the errors that end a pass. */
import type { Node } from '../../fx'
import { isMutationOp } from '../../matcher/mutation_regions'
import type { SchemaLookup } from '../../matcher/schema_facts'
import type { Attempt } from '../../matcher/types'
import type { GraphIndex } from '../align/anchors'
import { makeCause, type Cause } from '../causes'
import { refusedByCheck } from './extra_check'

/** The cause of an attempt that matched and was dropped. */
export function droppedCause(attempt: Attempt, title: string, index: GraphIndex, schemaOf: SchemaLookup): Cause {
  const drop = attempt.dropReason ?? { kind: 'extra-check' }
  const nodes = (attempt.nodes ?? []).flatMap((n) => index.byName.get(n) ?? [])
  switch (drop.kind) {
    case 'mutation-regions':
      return mutationBarrier(nodes, schemaOf)
    case 'streams':
      return streamBarrier(nodes)
    case 'extra-check':
      return refusedByCheck(attempt, title)
    default:
      return makeCause({
        kind: 'retrace-error',
        reason: { kind: 'dropped', node: attempt.node, drop },
        graphNode: attempt.node,
      })
  }
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
  const writers = between.map((n) => ({
    node: n.name,
    operator: n.target,
    out: !/_\.|_$/.test(n.target) && n.kwargs.has('out'),
  }))
  return makeCause({
    kind: 'mutation-barrier',
    reason:
      between.length === 0
        ? { kind: 'mutation-regions' }
        : { kind: 'mutation-barrier', writers, from: first!.name, to: last!.name },
    graph: between[0] ?? null,
    expected: 'one mutation region',
    found: between.map((n) => n.target).join(', ') || 'two mutation regions',
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
    reason:
      first && other
        ? {
            kind: 'stream-barrier',
            first: { node: first.name, place: place(first) },
            other: { node: other.name, place: place(other) },
          }
        : { kind: 'streams' },
    graph: other ?? null,
    expected: first ? place(first) : null,
    found: other ? place(other) : null,
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
      reason: { kind: 'unused-argument', argument, pattern: entry?.title ?? null, error: error.split('. ')[0]! },
      argument,
      ...(last ? { entry: last.entry, graphNode: last.node } : {}),
    })
  }
  const checked = entry?.checked && last?.phase === 'specific'
  return makeCause({
    kind: checked ? 'extra-check' : 'replacement-error',
    reason: checked
      ? { kind: 'extra-check-raised', node: last!.node, pattern: entry!.title, error }
      : { kind: 'replacement-raised', node: last?.node ?? null, pattern: entry?.title ?? null, error },
    expected: checked ? 'a bool' : null,
    found: error,
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
      reason: { kind: 'duplicate-pattern', at: at && { file: at.file, line: at.line } },
    })
    return { ...cause, source: at }
  }
  if (/^obj has no pretty_print method/.test(problem.message)) {
    const cause = makeCause({
      kind: 'structure',
      reason: { kind: 'no-operator', at: at && { file: at.file, line: at.line } },
      expected: 'an operator',
      found: 'none',
    })
    return { ...cause, source: at }
  }
  return null
}

/** No pass at all: nothing that could hold a pattern. */
export const noPass = (): Cause =>
  makeCause({
    kind: 'not-registered',
    reason: { kind: 'no-pass' },
    expected: 'a PatternMatcherPass at module level',
    found: 'none',
  })
