/** Steps for the barriers that a match must pass: one mutation region, one stream and memory pool. */
import type { Node } from '../../fx'
import type { MutationRegions } from '../mutation_regions'
import { count, listed } from '../../base/english'
import type { StepParts } from './writer'

type Barrier = Pick<StepParts, 'kind' | 'ok' | 'expected' | 'found' | 'text' | 'graphNode'>

export function regionsStep(nodes: readonly Node[], regions: MutationRegions, ok: boolean): Barrier {
  const base = { kind: 'barrier', ok, expected: 'one mutation region' } as const
  if (ok) {
    const text =
      nodes.length > 1
        ? `Nothing writes to a tensor between the ${count(nodes.length, 'matched node')}: they are in one mutation region`
        : 'A single node is in one mutation region'
    return { ...base, found: 'one', text }
  }
  const between = mutationsBetween(nodes, regions)
  const named = between.map((n) => `${n.name} (${n.target})`)
  const text =
    named.length > 0
      ? `${listed(named)} ${named.length > 1 ? 'write' : 'writes'} to a tensor between the matched nodes: the match is dropped`
      : 'The matched nodes are in several mutation regions: the match is dropped'
  return { ...base, found: listed(named), text, graphNode: between[0]?.name ?? null }
}

/** Mutating nodes after the first matched node, up to the last; a mutation at the first one divides nothing. */
function mutationsBetween(nodes: readonly Node[], regions: MutationRegions): Node[] {
  const ordered = [...nodes].sort((a, b) => a.sortKey - b.sortKey)
  const last = ordered.at(-1)
  const between: Node[] = []
  for (let n = ordered[0]; n && n !== last;) {
    n = n.next
    if (regions.mutates(n)) between.push(n)
  }
  return between
}

export function streamsStep(nodes: readonly Node[], ok: boolean): Barrier {
  const base = { kind: 'barrier', ok, expected: 'one stream and memory pool' } as const
  const places = new Map<string, Node>()
  for (const n of nodes) if (!places.has(placeOf(n))) places.set(placeOf(n), n)
  const found = [...places.keys()].join(' and ')
  if (ok) return { ...base, found, text: `All matched nodes run on one stream and memory pool (${found})` }
  const each = [...places].map(([where, n]) => `${n.name} is on ${where}`)
  const other = [...places.values()][1]
  return { ...base, found, text: `${listed(each)}: the match is dropped`, graphNode: other?.name ?? null }
}

function placeOf(n: Node): string {
  const { stream = 0, mempool } = n.meta.custom ?? {}
  return `stream ${String(stream)}${mempool == null ? '' : `, memory pool ${String(mempool)}`}`
}
