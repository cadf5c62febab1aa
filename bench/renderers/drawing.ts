/** One graph in the forms that the renderers read. */
import { printGraph, type Graph } from '../../src/fx'
import { layoutGraph } from '../../src/app/layout/layout'
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/app/layout/input'
import { SPACING } from '../../src/app/layout/types'

export interface Drawing {
  /** print(graph), for Fusescope. */
  text: string
  /** Names, in order. */
  nodes: readonly string[]
  /** Indices of producer and user. */
  edges: readonly (readonly [number, number])[]
  /** x and y by node, of Fusescope's layout: for renderers without a layout of their own. */
  positions: readonly number[]
}

export function drawingOf(graph: Graph): Drawing {
  const nodes = [...graph.nodes()]
  const index = new Map(nodes.map((n, i) => [n, i]))
  const inputs = nodes.map((n) => n.inputs().map((x) => index.get(x)!))
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
  const edges = inputs.flatMap((own, user) => own.map((input) => [input, user] as const))
  return { text: printGraph(graph), nodes: nodes.map((n) => n.name), edges, positions }
}
