/** Causes of matches that were dropped: barriers, checks, re-traces, and the errors that end a pass. */
import type { Node, SourceRef } from '../../fx'
import { isMutationOp } from '../../matcher/mutation_regions'
import type { RefusedRegistration } from '../../matcher/reasons/refusal'
import type { GuessedSchema, SchemaLookup } from '../../matcher/schema_facts'
import type { Attempt, StubDecision } from '../../matcher/types'
import type { GraphIndex } from '../align/anchors'
import { makeCause, type Cause } from '../causes'
import { refusedByCheck } from './extra_check'

/** The cause of an attempt that matched but was dropped. */
export function droppedCause(attempt: Attempt, title: string, index: GraphIndex, schemaOf: SchemaLookup): Cause {
  const drop = attempt.dropReason ?? { kind: 'extra-check' }
  const nodes = (attempt.nodes ?? []).flatMap((n) => index.byName.get(n) ?? [])
  switch (drop.kind) {
    case 'mutation-regions':
      return mutationBarrier(nodes, schemaOf)
    case 'streams':
      return streamBarrier(nodes)
    case 'extra-check':
      return refusedByCheck(attempt, title, index)
    case 'unknown-shape': {
      const needs = [...drop.nodes]
      const inputs = sourcesOf(needs.flatMap((n) => index.byName.get(n) ?? [])).map((n) => n.name)
      return makeCause({
        reason: { kind: 'unknown-shape', node: attempt.node, needs, inputs },
        graphNode: attempt.node,
        expected: 'shapes',
        found: 'none',
      })
    }
    case 'match-filter':
      return refusedByCheck(attempt, title, index, 'match filter')
    default:
      return makeCause({
        reason: { kind: 'dropped', node: attempt.node, drop },
        graphNode: attempt.node,
      })
  }
}

/** The nodes without metadata that determine the metadata of the others, in graph order. */
function sourcesOf(nodes: readonly Node[]): Node[] {
  const found = new Set<Node>()
  const seen = new Set<Node>()
  const queue = [...nodes]
  for (let n = queue.pop(); n; n = queue.pop()) {
    if (seen.has(n)) continue
    seen.add(n)
    const without = n.inputs().filter((i) => !i.meta.val)
    if (without.length === 0) found.add(n)
    queue.push(...without)
  }
  return [...found].sort((a, b) => a.sortKey - b.sortKey)
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
  { text, unusedArgument, retrace }: { text: string; unusedArgument: string | undefined; retrace: boolean },
  last: Attempt | null,
  entry: { title: string; checked: boolean } | null,
): Cause {
  const place = last ? { entry: last.entry, graphNode: last.node } : {}
  if (unusedArgument !== undefined) {
    const error = text.split('. ')[0]!
    return makeCause({
      reason: { kind: 'unused-argument', argument: unusedArgument, pattern: entry?.title ?? null, error },
      ...place,
    })
  }
  if (retrace)
    return makeCause({
      reason: { kind: 'retrace-escaped', node: last?.node ?? null, pattern: entry?.title ?? null, error: text },
      found: text,
      ...place,
    })
  const checked = entry?.checked && last?.phase === 'specific'
  return makeCause({
    reason: checked
      ? { kind: 'extra-check-raised', node: last!.node, pattern: entry!.title, error: text }
      : { kind: 'replacement-raised', node: last?.node ?? null, pattern: entry?.title ?? null, error: text },
    expected: checked ? 'a bool' : null,
    found: text,
    ...place,
  })
}

/** The cause of an exception in the user's Python, when register_replacement raised it. @param at the user's line */
export function registrationCause(
  refusal: Pick<RefusedRegistration, 'kind' | 'output'> | null,
  at: SourceRef | null,
): Cause | null {
  const place = at && { file: at.file, line: at.line }
  switch (refusal?.kind) {
    case 'duplicate-pattern':
      return {
        ...makeCause({ reason: { kind: 'duplicate-pattern', at: place } }),
        source: at,
      }
    case 'no-operator': {
      const cause = makeCause({
        reason: { kind: 'no-operator', at: place },
        expected: 'an operator',
        found: 'none',
      })
      return { ...cause, source: at }
    }
    case 'none-output': {
      const output = refusal?.output ?? null
      const cause = makeCause({
        reason: { kind: 'none-output', output, at: place },
        expected: 'a tensor',
        found: 'None',
      })
      return { ...cause, source: at }
    }
    case undefined:
      return null
  }
}

/**
 * The cause of an exception in a function that calls an operator without a schema. @param at the user's line
 */
export const guessedCause = (error: string, guessed: GuessedSchema, at: SourceRef | null): Cause => ({
  ...makeCause({ reason: { kind: 'guessed-schema', error, guessed } }),
  source: at,
  guessed,
})

/**
 * The cause for a workspace without any pass in which to register a pattern.
 * @param stubs answers that decided which code ran
 * @param misplaced a missing module from which the code imports the matcher's names
 */
export const noPass = (stubs: readonly StubDecision[] = [], misplaced?: string): Cause =>
  makeCause({
    reason: { kind: 'no-pass', ...(stubs.length > 0 && { stubs }), ...(misplaced !== undefined && { misplaced }) },
    expected: 'a PatternMatcherPass at module level',
    found: 'none',
  })
