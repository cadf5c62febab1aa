/** The node at which an arrow key enters a block. */
import { unfolded } from '../../fold/drawn'
import type { Block, DrawnGraph } from '../../fold/types'
import type { Direction } from '../types'

/**
 * Name of the block's node that is next to `from`: its first user when moving down, its last input when moving up. If there is
 * none, the block's first node (down) or last node (up).
 */
export function entryOf(drawn: DrawnGraph, block: Block, from: string | null, direction: Direction): string {
  const { nodes } = drawn.source
  const inside = new Set(block.nodes)
  const at = from === null ? undefined : unfolded(drawn.source).indexOf.get(from)
  const near = at === undefined ? [] : direction === 'up' ? nodes[at]!.inputs : nodes[at]!.users
  const own = near.filter((n) => inside.has(n))
  const computing = block.nodes.filter((n) => nodes[n]!.inputs.length > 0)
  const all = computing.length > 0 ? computing : block.nodes
  const found = direction === 'up' ? (own.at(-1) ?? Math.max(...all)) : (own[0] ?? Math.min(...all))
  return nodes[found]!.name
}
