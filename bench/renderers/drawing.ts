/** One graph as text, and as the data that the libraries draw: made here for "positions given", in their page else. */
import { printGraph, read, type Graph } from '../../src/fx'
import { layoutGraph } from '../../src/app/layout/layout'
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/app/layout/input'
import { SPACING } from '../../src/app/layout/types'

export interface Drawing {
  /** Names, in order. */
  nodes: readonly string[]
  /** Indices of producer and user. */
  edges: readonly (readonly [number, number])[]
  /** x and y by node, of Fusescope's layout of all nodes, unfolded; absent for libraries with a layout of their own. */
  positions?: readonly number[]
}

export interface BenchGraph {
  /** print(graph): what every renderer starts from. */
  text: string
  nodes: number
  edges: number
}

export function benchGraph(graph: Graph): BenchGraph {
  const { nodes, edges } = drawingOf(graph, false)
  return { text: printGraph(graph), nodes: nodes.length, edges: edges.length }
}

/** Reads a graph's text with Fusescope's reader, as every renderer of such a text must first. */
export const drawingOfText = (text: string, withPositions: boolean): Drawing =>
  drawingOf(read(text, 'graph.txt').graph, withPositions)

function drawingOf(graph: Graph, withPositions: boolean): Drawing {
  const nodes = [...graph.nodes()]
  const index = new Map(nodes.map((n, i) => [n, i]))
  const inputs = nodes.map((n) => n.inputs().map((x) => index.get(x)!))
  const edges = inputs.flatMap((own, user) => own.map((input) => [input, user] as const))
  const names = nodes.map((n) => n.name)
  if (!withPositions) return { nodes: names, edges }
  const layout = layoutGraph({
    aspect: 1.6,
    nodes: nodes.map((n, i) =>
      n.op === 'placeholder' || n.op === 'get_attr'
        ? { role: 'source', width: 80, height: SPACING.chipHeight, chipWidth: 80, inputs: inputs[i]! }
        : { role: 'node', width: NODE_WIDTH, height: NODE_HEIGHT, chipWidth: 80, inputs: inputs[i]! },
    ),
  })
  const positions = new Array<number>(nodes.length * 2).fill(0)
  // A source is drawn beside each of its users: the last of them counts.
  for (const { node, x, y } of layout.items) [positions[node * 2], positions[node * 2 + 1]] = [x, -y]
  return { nodes: names, edges, positions }
}
