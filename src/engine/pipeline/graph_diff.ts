/** Compares two small graphs node by node: different constants, different nodes. Node names are ignored. */
import { alignLists } from '../../base/sequences'
import type { GraphView, NodeView } from '../protocol'

export type Difference =
  | {
      kind: 'argument'
      target: string
      name: string
      left: string | null
      right: string | null
      nodes: [number, number]
    }
  | { kind: 'node'; side: 'left' | 'right'; target: string; node: number }

/** In the order of the left graph's nodes; empty if the graphs are equal except for names. */
export function diffGraphs(left: GraphView, right: GraphView): Difference[] {
  const pairs = alignLists(left.nodes.map(labelOf), right.nodes.map(labelOf))
  const ids = { left: new Map<string, string>(), right: new Map<string, string>() }
  const both = pairs.filter((p): p is [number, number] => p[0] !== null && p[1] !== null)
  both.forEach(([a, b], i) => {
    ids.left.set(left.nodes[a]!.name, `%${i}`)
    ids.right.set(right.nodes[b]!.name, `%${i}`)
  })
  return pairs.flatMap(([a, b]): Difference[] => {
    if (b === null) return [{ kind: 'node', side: 'left', target: operatorName(left.nodes[a!]!), node: a! }]
    if (a === null) return [{ kind: 'node', side: 'right', target: operatorName(right.nodes[b]!), node: b }]
    const [m, n] = [argumentsOf(left.nodes[a]!, ids.left), argumentsOf(right.nodes[b]!, ids.right)]
    return [...new Set([...m.keys(), ...n.keys()])]
      .filter((name) => m.get(name)?.same !== n.get(name)?.same)
      .map((name) => ({
        kind: 'argument',
        target: operatorName(left.nodes[a]!),
        name,
        left: m.get(name)?.text ?? null,
        right: n.get(name)?.text ?? null,
        nodes: [a, b],
      }))
  })
}

/** The text of a graph with indices instead of names: equal graphs have equal texts. */
export function canonicalText({ nodes }: GraphView): string {
  const ids = new Map(nodes.map((n, i) => [n.name, `%${i}`]))
  return nodes
    .map((n) => [labelOf(n), ...[...argumentsOf(n, ids)].map(([name, { same }]) => `${name}=${same}`)].join(' '))
    .join('\n')
}

/** `group_size = 128 ↔ 64 in per_token_group_fp8_quant`. */
export function differenceText(d: Difference): string {
  if (d.kind === 'node') return `${d.target} only in the ${d.side === 'left' ? 'first' : 'second'}`
  return `${d.name} = ${d.left ?? 'nothing'} ↔ ${d.right ?? 'nothing'} in ${d.target}`
}

/** `per_token_group_fp8_quant` of `_C.per_token_group_fp8_quant.default`. */
function operatorName({ inner, target }: Pick<NodeView, 'inner' | 'target'>): string {
  const parts = (inner ?? target).replace(/\.default$/, '').split('.')
  return parts.length > 1 ? parts.slice(1).join('.') : parts[0]!
}

const labelOf = (n: NodeView): string => (n.op === 'placeholder' ? n.op : `${n.op} ${n.target} ${n.inner ?? ''}`)

/** Arguments by name or position: the text, and the text without node names. */
function argumentsOf(node: NodeView, ids: ReadonlyMap<string, string>): Map<string, { text: string; same: string }> {
  const of = (text: string) => ({ text, same: text.replace(/%[\w.]+/g, (n) => ids.get(n.slice(1)) ?? n) })
  return new Map([
    ...node.args.map((text, i) => [node.op === 'output' ? 'outputs' : `argument ${i}`, of(text)] as const),
    ...node.kwargs.map(([name, text]) => [name, of(text)] as const),
  ])
}
