/** Finds nodes by name, target or wrapped operator. */
import type { GraphView, NodeView } from '../../../engine/protocol'

export interface Found {
  node: NodeView
  rank: number
}

/**
 * Results, best first: the exact name, names with this prefix, names and targets that contain it. Graph order within a
 * rank.
 */
export function searchNodes(graph: GraphView | null, query: string, limit = 500): NodeView[] {
  const q = query.trim().replace(/^%/, '').toLowerCase()
  if (!graph || q === '') return []
  const found: Found[] = []
  for (const node of graph.nodes) {
    const rank = rankOf(node, q)
    if (rank !== null) found.push({ node, rank })
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map((f) => f.node)
}

function rankOf(node: NodeView, q: string): number | null {
  const name = node.name.toLowerCase()
  if (name === q) return 0
  if (name.startsWith(q)) return 1
  const target = `${node.target} ${node.inner ?? ''}`.toLowerCase()
  if (target.split(/[\s.]/).includes(q)) return 2
  if (name.includes(q)) return 3
  return target.includes(q) ? 4 : null
}
