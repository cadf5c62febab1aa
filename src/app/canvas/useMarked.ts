/** Converts node and edge names from the props to scene indices, which the drawing uses. */
import { useMemo } from 'react'
import type { DrawnGraph } from '../fold/types'
import type { Scene } from './scene'
import type { GraphCanvasProps, Mark } from './types'

/** Nodes by name; unknown names are omitted. */
export function useIndices(scene: Scene | null, names: ReadonlySet<string>): ReadonlySet<number> {
  return useMemo(() => {
    const found = new Set<number>()
    for (const name of names) {
      const i = scene?.indexOf.get(name)
      if (i !== undefined) found.add(i)
    }
    return found
  }, [scene, names])
}

export function useMarks(scene: Scene | null, marks: GraphCanvasProps['marks']): ReadonlyMap<number, Mark> {
  return useMemo(() => {
    const byIndex = new Map<number, Mark>()
    for (const [name, mark] of marks) {
      const i = scene?.indexOf.get(name)
      // A pass changes every layer, so only marks that the user looks for or must see are shown on blocks.
      if (i !== undefined && (!scene!.graph.blocks.has(i) || mark === 'found' || mark === 'violation'))
        byIndex.set(i, mark)
    }
    return byIndex
  }, [scene, marks])
}

const NOTHING_FOUND: ReadonlyMap<number, number> = new Map()

/** The number of nodes that Find found in each block, by index of the block. */
export function useFoundIn(scene: Scene | null, marks: GraphCanvasProps['marks']): ReadonlyMap<number, number> {
  return useMemo(() => (scene ? foundIn(scene.graph, marks) : NOTHING_FOUND), [scene, marks])
}

export function foundIn(
  { blocks, indexOf }: DrawnGraph,
  marks: GraphCanvasProps['marks'],
): ReadonlyMap<number, number> {
  if (blocks.size === 0) return NOTHING_FOUND
  const counts = new Map<number, number>()
  for (const [name, mark] of marks) {
    const i = mark === 'found' ? indexOf.get(name) : undefined
    if (i !== undefined && blocks.has(i)) counts.set(i, (counts.get(i) ?? 0) + 1)
  }
  return counts.size > 0 ? counts : NOTHING_FOUND
}

/** Edges between two named nodes. */
export function useEdges(scene: Scene | null, pairs: GraphCanvasProps['blamed']): ReadonlySet<number> {
  return useMemo(() => {
    const edges = new Set<number>()
    for (const [from, to] of pairs ?? []) {
      const target = scene?.indexOf.get(to)
      for (const e of scene?.edgesFrom[scene.indexOf.get(from) ?? -1] ?? [])
        if (scene!.layout.edges[e]!.target === target) edges.add(e)
    }
    return edges
  }, [scene, pairs])
}
