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
  /** Groups that have a drawn node or lie in several blocks. */
  drawn: CanvasGroup[]
  /** The other groups, by index of their block in DrawnGraph.nodes. */
  tallies: ReadonlyMap<number, readonly Tally[]>
}

export function divideGroups({ blocks, indexOf }: DrawnGraph, groups: readonly CanvasGroup[]): Divided {
  const drawn: CanvasGroup[] = []
  const tallies = new Map<number, Tally[]>()
  for (const group of groups) {
    const at = onlyPlace(group.nodes, indexOf)
    if (at === undefined || !blocks.has(at)) {
      drawn.push(group)
      continue
    }
    const own = tallies.get(at) ?? []
    tallies.set(at, own)
    const same = own.find((t) => t.letter === group.letter && t.kind === group.kind)
    if (same) same.count++
    else own.push({ color: group.color, letter: group.letter, kind: group.kind, group: group.id, count: 1 })
  }
  return { drawn, tallies }
}

/** The drawn index that all drawn nodes of this list share; undefined if they have several, or none. */
function onlyPlace(names: readonly string[], indexOf: ReadonlyMap<string, number>): number | undefined {
  let only: number | undefined
  for (const name of names) {
    const at = indexOf.get(name)
    if (at === undefined) continue
    if (only !== undefined && at !== only) return undefined
    only = at
  }
  return only
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
