/** Builds groupings from an outline or from any nested sets of nodes. */
import { memoizeByObject } from '../../base/memoize'
import type { GraphView } from '../../engine/protocol'
import type { FoldGroup, FoldInstance, Grouping } from './types'

/** A group before its instances have a place in a grouping. */
export type GroupSource = Omit<FoldGroup, 'index' | 'first' | 'times'> & {
  instances: readonly (readonly number[])[]
  /** Indices into the parent's instances; absent if each of them has `perParent`. */
  parents?: readonly number[]
  titles?: readonly string[]
}

/** @param sources a parent precedes the groups inside it; instances of one group have no node in common */
export function groupingOf(size: number, sources: readonly GroupSource[]): Grouping {
  const groups: FoldGroup[] = []
  const instances: FoldInstance[] = []
  const innermost = new Int32Array(size).fill(-1)
  for (const { instances: own, parents, titles, ...source } of sources) {
    const group: FoldGroup = { ...source, index: groups.length, first: instances.length, times: own.length }
    const parent = group.parent === null ? null : groups[group.parent]!
    groups.push(group)
    own.forEach((nodes, at) => {
      for (const n of nodes) innermost[n] = instances.length
      const outer = parent ? parent.first + (parents?.[at] ?? Math.floor(at / group.perParent)) : -1
      instances.push({ group, at, parent: outer, nodes, ...(titles && { title: titles[at]! }) })
    })
  }
  return { groups, instances, innermost }
}

/** The layers that the engine found; null if nothing repeats. */
export const structureOf = memoizeByObject(({ nodes, outline }: GraphView): Grouping | null => {
  if (!outline) return null
  const at = new Map(outline.map((g, i) => [g.id, i]))
  const sources = outline.map(({ id, parent, perParent, label, instances, differs }): GroupSource => {
    const index = parent === null ? null : at.get(parent)!
    return { key: String(id), label, parent: index, perParent, runs: true, differs, instances }
  })
  return groupingOf(nodes.length, sources)
})

export const instanceKey = ({ group, at }: FoldInstance): string => `${group.key}/${at}`

/** The instances around a node, the outermost first. */
export function pathOf({ instances, innermost }: Grouping, node: number): number[] {
  const path: number[] = []
  for (let i = innermost[node] ?? -1; i >= 0; i = instances[i]!.parent) path.push(i)
  return path.reverse()
}
