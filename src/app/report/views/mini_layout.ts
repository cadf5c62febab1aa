/** Positions for the small graph of a pattern: rows by longest path from the inputs, arguments in order from left to right. */
import type { GraphView } from '../../../engine/protocol'

export interface MiniNode {
  index: number
  x: number
  y: number
  label: string
  detail: string
  kind: 'input' | 'call' | 'output'
}

export interface MiniEdge {
  from: number
  to: number
}

export interface MiniGraphLayout {
  nodes: MiniNode[]
  edges: MiniEdge[]
  width: number
  height: number
}

export const MINI = { width: 118, height: 30, gapX: 10, gapY: 16 }

/** @param inputs false leaves the inputs out */
export function miniLayout(graph: GraphView, { inputs = true } = {}): MiniGraphLayout {
  const depth: number[] = []
  graph.nodes.forEach((n, i) => {
    depth[i] = n.inputs.reduce((d, j) => Math.max(d, (depth[j] ?? 0) + 1), 0)
  })
  // A leaf that feeds a late node is placed directly above it, not at the top.
  for (let i = graph.nodes.length - 1; i >= 0; i--) {
    const n = graph.nodes[i]!
    if (n.inputs.length === 0 && n.users.length > 0) depth[i] = Math.min(...n.users.map((u) => depth[u] ?? 1)) - 1
  }
  const shown = graph.nodes.flatMap((n, i) => (n.op === 'output' || (!inputs && isInput(n)) ? [] : [i]))
  const rows = new Map<number, number[]>()
  for (const i of shown) rows.set(depth[i]!, [...(rows.get(depth[i]!) ?? []), i])
  const order = [...rows.keys()].sort((a, b) => a - b)
  const widest = Math.max(1, ...[...rows.values()].map((r) => r.length))
  const width = widest * (MINI.width + MINI.gapX) - MINI.gapX
  const at = new Map<number, { x: number; y: number }>()
  const turn = visitOrder(graph)
  order.forEach((d, row) => {
    const ids = rows.get(d)!
    const sorted = ids.toSorted((a, b) => turn[a]! - turn[b]!)
    const left = (width - (ids.length * (MINI.width + MINI.gapX) - MINI.gapX)) / 2
    sorted.forEach((i, k) => at.set(i, { x: left + k * (MINI.width + MINI.gapX), y: row * (MINI.height + MINI.gapY) }))
  })
  return {
    nodes: shown.map((i) => {
      const n = graph.nodes[i]!
      const name = shortTarget(n.inner ?? n.target)
      const kind = isInput(n) ? 'input' : 'call'
      return {
        index: i,
        ...at.get(i)!,
        label: kind === 'input' ? n.name : name,
        detail: kind === 'input' ? n.op : n.name,
        kind,
      }
    }),
    edges: shown.flatMap((i) => graph.nodes[i]!.inputs.filter((j) => at.has(j)).map((j) => ({ from: j, to: i }))),
    width,
    height: Math.max(1, order.length) * (MINI.height + MINI.gapY) - MINI.gapY,
  }
}

const isInput = ({ op }: GraphView['nodes'][number]): boolean => op === 'placeholder' || op === 'get_attr'

/**
 * For each node, its place in a walk from the results to the inputs, arguments from left to right: in the order of this
 * walk, the first argument of a call is drawn left of the second one, and the lines of a tree do not cross.
 */
function visitOrder({ nodes }: GraphView): number[] {
  const turn: number[] = []
  let next = 0
  const visit = (i: number): void => {
    if (turn[i] !== undefined) return
    turn[i] = next++
    nodes[i]!.inputs.forEach(visit)
  }
  nodes.forEach((n, i) => n.users.length === 0 && visit(i))
  return turn
}

/** `_C.silu_and_mul.default` → `silu_and_mul`; `aten.empty.memory_format` → `empty`; `operator.getitem` → `getitem`. */
export function shortTarget(target: string): string {
  const parts = target.split('.')
  return parts.length >= 3 ? parts.at(-2)! : parts.at(-1)!
}
