/** A graph of equal layers, as the engine sends it. */
import type { GraphView, NodeView } from '../../../engine/protocol'
import { emptyNode } from '../../../engine/report/empty'

/**
 * `x`, then in each layer K the weight `wK`, the attention `aK`, `bK` and the MLP `cK`, `dK`, then `end`. `aK` and `dK`
 * use the last node before the layer and `aK` also uses `x`.
 */
export function layeredView(layers: number): GraphView {
  const nodes: NodeView[] = []
  const add = (name: string, op: string, inputs: number[]): number => {
    nodes.push({ ...emptyNode(name, op, name), inputs })
    for (const i of inputs) nodes[i]!.users.push(nodes.length - 1)
    return nodes.length - 1
  }
  const x = add('x', 'placeholder', [])
  const attention: number[][] = []
  const mlp: number[][] = []
  const weights = Array.from({ length: layers }, (_, k) => add(`w${k}`, 'placeholder', []))
  let last = x
  weights.forEach((w, k) => {
    const a = add(`a${k}`, 'call_function', [...new Set([last, w, x])])
    const b = add(`b${k}`, 'call_function', [a])
    const c = add(`c${k}`, 'call_function', [b])
    const d = add(`d${k}`, 'call_function', [...new Set([c, last])])
    attention.push([w, a, b])
    mlp.push([c, d])
    last = d
  })
  add('end', 'output', [last])
  const group = (id: number, label: string, instances: number[][]) => {
    const parent = id === 0 ? null : 0
    return { id, parent, perParent: parent === null ? layers : 1, label, instances, differs: [] }
  }
  const whole = attention.map((nodesOf, k) => [...nodesOf, ...mlp[k]!])
  return {
    nodes,
    problems: [],
    outline: [group(0, 'layer', whole), group(1, 'attention', attention), group(2, 'MLP', mlp)],
  }
}
