/** Nodes between picked nodes: a pattern without them would depend on its own output. */
import type { GraphView } from '../../../engine/protocol'

/** Calls that are not picked, depend on a picked node and are an input of a picked node, in graph order. */
export function nodesBetween({ nodes }: GraphView, picked: readonly string[]): string[] {
  const names = new Set(picked)
  const chosen = nodes.map((n) => names.has(n.name))
  const below: boolean[] = []
  for (const n of nodes) below.push(n.op !== 'output' && n.inputs.some((i) => chosen[i] || below[i]))
  const above = new Set<number>()
  for (let at = nodes.length - 1; at >= 0; at--)
    if (chosen[at] || above.has(at)) for (const i of nodes[at]!.inputs) above.add(i)
  return nodes.flatMap((n, at) => (!chosen[at] && below[at] && above.has(at) ? [n.name] : []))
}
