import { useLayoutEffect, useMemo, useRef } from 'react'
import type { FlowNodeType } from './FlowNode'
import type { Tally } from './blocks/tallies'
import type { Regions } from './regions'
import type { Scene } from './scene'
import type { CanvasGroup, Mark } from './types'

const NONE: readonly CanvasGroup[] = []
const NO_TALLIES: readonly Tally[] = []

/** State that the nodes in view show; node sets are node indices. */
interface FlowNodesInput {
  scene: Scene | null
  regions: Regions | null
  selected: ReadonlySet<number>
  hovered: ReadonlySet<number>
  marks: ReadonlyMap<number, Mark>
  foundIn: ReadonlyMap<number, number>
}

/**
 * React Flow's nodes for the items in view. A node object keeps its identity while its content is unchanged, so that
 * React skips it.
 */
export function useFlowNodes(
  visible: readonly number[],
  { scene, regions, selected, hovered, marks, foundIn }: FlowNodesInput,
): FlowNodeType[] {
  const cache = useRef<{ scene: Scene | null; nodes: ReadonlyMap<number, FlowNodeType> }>({
    scene: null,
    nodes: new Map(),
  })
  const made = useMemo(() => {
    if (!scene || !regions) return null
    const known = cache.current.scene === scene ? cache.current.nodes : new Map<number, FlowNodeType>()
    const nodes = new Map<number, FlowNodeType>()
    for (const i of visible) {
      const item = scene.layout.items[i]
      const view = item && scene.graph.nodes[item.node]
      if (!item || !view) continue
      const groups = regions.groupsOfItem.get(i) ?? NONE
      const isSelected = selected.has(item.node)
      const isHovered = hovered.has(item.node)
      const mark = marks.get(item.node) ?? null
      const block = item.kind === 'node' ? (scene.graph.blocks.get(item.node) ?? null) : null
      const tallies = (block && regions.tallies.get(item.node)) ?? NO_TALLIES
      const found = block ? (foundIn.get(item.node) ?? 0) : 0
      const old = known.get(i)
      const same =
        old &&
        old.data.groups === groups &&
        old.data.tallies === tallies &&
        old.data.selected === isSelected &&
        old.data.hovered === isHovered &&
        old.data.mark === mark &&
        old.data.found === found
      nodes.set(
        i,
        same
          ? old
          : {
              id: String(i),
              type: 'fx',
              position: { x: item.x, y: item.y },
              width: item.w,
              height: item.h,
              // Sets the size, so that React Flow never mounts a node just to measure it.
              measured: { width: item.w, height: item.h },
              handles: [],
              ariaLabel: `${view.name}, ${view.inner ?? view.target}`,
              data: {
                ...{ view, kind: item.kind, groups, selected: isSelected, hovered: isHovered },
                ...{ mark, block, tallies, found },
              },
            },
      )
    }
    return { scene, nodes }
  }, [scene, visible, regions, selected, hovered, marks, foundIn])
  useLayoutEffect(() => {
    if (made) cache.current = made
  }, [made])
  return useMemo(() => (made ? [...made.nodes.values()] : []), [made])
}
