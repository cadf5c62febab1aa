/** Distinguishes groups with the same label: the layers of an encoder and those of a decoder. */
import { memoizeByObject } from '../../base/memoize'
import { instancesOf } from './open'
import type { FoldGroup, Grouping } from './types'

/** By index of the group: its number among the whole graph's groups with the same label, in graph order, from 0. */
export const stacksOf = memoizeByObject((grouping: Grouping): ReadonlyMap<number, number> => {
  const byLabel = new Map<string, FoldGroup[]>()
  for (const group of grouping.groups) {
    if (group.parent !== null || group.named) continue
    byLabel.set(group.label, [...(byLabel.get(group.label) ?? []), group])
  }
  // Weights precede all layers, so the last node of an instance is a node that computes.
  const end = (group: FoldGroup): number => instancesOf(grouping, group)[0]?.nodes.at(-1) ?? 0
  const found = new Map<number, number>()
  for (const groups of byLabel.values())
    if (groups.length > 1) groups.toSorted((a, b) => end(a) - end(b)).forEach((g, i) => found.set(g.index, i))
  return found
})
