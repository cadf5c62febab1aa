/** Matches and near misses inside blocks, counted by pattern. */
import { count } from '../../../base/english'
import type { DrawnGraph } from '../../fold/types'
import type { CanvasGroup } from '../types'

export interface Tally extends Pick<CanvasGroup, 'color' | 'letter' | 'kind'> {
  /** `id` of the first of the groups. */
  group: string
  count: number
}

export interface Divided {
  /** Groups with a drawn node or in several blocks. */
  drawn: CanvasGroup[]
  /** The others, by index of their block in DrawnGraph.nodes. */
  tallies: ReadonlyMap<number, readonly Tally[]>
}

export function divideGroups({ blocks, indexOf }: DrawnGraph, groups: readonly CanvasGroup[]): Divided {
  const drawn: CanvasGroup[] = []
  const tallies = new Map<number, Tally[]>()
  for (const group of groups) {
    const at = new Set(group.nodes.flatMap((n) => indexOf.get(n) ?? []))
    const [first] = at
    if (at.size !== 1 || !blocks.has(first!)) {
      drawn.push(group)
      continue
    }
    const own = tallies.get(first!) ?? []
    tallies.set(first!, own)
    const same = own.find((t) => t.letter === group.letter && t.kind === group.kind)
    if (same) same.count++
    else own.push({ color: group.color, letter: group.letter, kind: group.kind, group: group.id, count: 1 })
  }
  return { drawn, tallies }
}

/** `17 matches`, `1 near miss`. */
export function tallyText({ kind, count: n }: Tally): string {
  switch (kind) {
    case 'match':
      return count(n, 'match', 'matches')
    case 'nearMiss':
      return count(n, 'near miss', 'near misses')
    case 'unshaped':
      return `${count(n, 'match', 'matches')} if the shapes allow`
    case 'added':
    case 'removed':
      return `${n} ${kind}`
  }
}
