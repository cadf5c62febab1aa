import type { NodeView } from '../../engine/protocol'
import { chipText, compactText } from './text'
import { SPACING, type LayoutInput, type LayoutRole } from './types'

export const NODE_WIDTH = 208
export const NODE_HEIGHT = 52
export const COMPACT_HEIGHT = 26
/** Size of a block of folded instances. */
export const BLOCK = { width: 296, height: 104 }
/** Advance of one character of the 11 px monospaced type that chips are set in. */
const CHAR = 6.7

/** The nodes of a graph, as the canvas draws them. */
export interface GraphNodes {
  readonly nodes: readonly NodeView[]
}

/** Converts a graph to layout input: the kind and size of each node. */
export function toLayoutInput(graph: GraphNodes, aspect = 1.6): LayoutInput {
  return {
    aspect,
    nodes: graph.nodes.map((n) => {
      const role = roleOf(n)
      const chip = textWidth(chipText(n), 52, 132)
      if (n.op === 'block') return { role, ...BLOCK, chipWidth: chip, inputs: n.inputs }
      if (role === 'source') return { role, width: chip, height: SPACING.chipHeight, chipWidth: chip, inputs: n.inputs }
      if (role === 'compact') {
        const width = textWidth(compactText(n), 88, 168)
        return { role, width, height: COMPACT_HEIGHT, chipWidth: chip, inputs: n.inputs }
      }
      return { role, width: NODE_WIDTH, height: NODE_HEIGHT, chipWidth: chip, inputs: n.inputs }
    }),
  }
}

function roleOf(n: NodeView): LayoutRole {
  if (n.op === 'placeholder' || n.op === 'get_attr') return 'source'
  if (n.family === 'getitem') return 'compact'
  // A factory whose value depends on nothing is cheap to repeat, like an input.
  if (n.family === 'factory' && n.inputs.length === 0 && n.users.length > 0) return 'source'
  return 'node'
}

function textWidth(text: string, low: number, high: number): number {
  return Math.min(high, Math.max(low, Math.ceil(text.length * CHAR) + 18))
}
