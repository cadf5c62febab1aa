/** A thumbnail of a pattern: boxes without labels, left to right, colored by family. */
import type { GraphView, OpFamily } from '../../engine/protocol'
import { MINI, miniLayout } from '../report/views/mini_layout'

/** Position in grid steps. */
export interface Sketch {
  width: number
  height: number
  nodes: { x: number; y: number; family: OpFamily }[]
  /** Indices into `nodes`. */
  edges: [number, number][]
}

/** The calls of a graph, without its inputs; null if there are none. */
export function sketchOf(graph: GraphView): Sketch | null {
  const layout = miniLayout(graph, { inputs: false })
  const calls = layout.nodes
  if (calls.length === 0) return null
  const index = new Map(calls.map((n, i) => [n.index, i]))
  const round = (n: number): number => Math.round(n * 100) / 100
  const xs = calls.map((n) => n.y / (MINI.height + MINI.gapY))
  const ys = calls.map((n) => n.x / (MINI.width + MINI.gapX))
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const size = (all: number[], from: number): number => round(Math.max(from, ...all) - from + 1)
  return {
    width: size(xs, left),
    height: size(ys, top),
    nodes: calls.map((n, i) => ({
      x: round(xs[i]! - left),
      y: round(ys[i]! - top),
      family: graph.nodes[n.index]!.family,
    })),
    edges: layout.edges.flatMap(({ from, to }): [number, number][] =>
      index.has(from) && index.has(to) ? [[index.get(from)!, index.get(to)!]] : [],
    ),
  }
}
