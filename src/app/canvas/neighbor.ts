import { mainItem, type Scene } from './scene'
import type { Direction } from './types'

/**
 * The node that an arrow key leads to from `node`: up to the input most nearly above, down to the user most nearly below, left and
 * right to the next node in the same rank. Null if there is none.
 */
export function neighbor(scene: Scene, node: number, direction: Direction): number | null {
  const at = mainItem(scene, node)
  const view = scene.graph.nodes[node]
  if (!at || !view) return null
  const cx = at.x + at.w / 2
  const nearest = (candidates: readonly number[]): number | null => {
    let best: number | null = null
    let distance = Infinity
    for (const c of candidates) {
      const item = mainItem(scene, c)
      if (!item) continue
      // A neighbor in the same column is nearer than one behind a connector.
      const d = Math.abs(item.x + item.w / 2 - cx) + (item.column === at.column ? 0 : 1e6) + Math.abs(item.y - at.y) / 4
      if (d < distance) {
        distance = d
        best = c
      }
    }
    return best
  }
  if (direction === 'up') {
    // Activations before weights: the left key reaches the chips.
    const values = view.inputs.filter((i) => mainItem(scene, i)?.consumer === -1)
    return nearest(values.length > 0 ? values : view.inputs)
  }
  if (direction === 'down') return nearest(view.users)
  const row = scene.layout.items.filter(
    (i) => i.rank === at.rank && i.column === at.column && i.kind !== 'entry' && i.node !== node,
  )
  let best: number | null = null
  let distance = Infinity
  for (const item of row) {
    const dx = item.x + item.w / 2 - cx
    if (direction === 'left' ? dx >= 0 : dx <= 0) continue
    if (Math.abs(dx) < distance) {
      distance = Math.abs(dx)
      best = item.node
    }
  }
  return best
}
