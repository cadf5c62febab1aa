/** Converts node and edge names from the props to scene indices, which the drawing uses. */
import { useMemo } from 'react'
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
      // A pass changes every layer: only what the user looks for or must see marks a block.
      if (i !== undefined && (!scene!.graph.blocks.has(i) || mark === 'found' || mark === 'violation'))
        byIndex.set(i, mark)
    }
    return byIndex
  }, [scene, marks])
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
