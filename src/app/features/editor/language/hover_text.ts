/** The hover of an operator: schema, shape rule, uses in the graph. */
import { count } from '../../../../base/english'
import type { GraphView } from '../../../../engine/protocol'
import type { Meaning } from './torch_names'

/** Maximum number of overloads in a hover. */
const MAX_OVERLOADS = 6

export interface HoverText {
  /** Code blocks: schemas, or a signature. */
  code: string
  rule: string | null
  /** Number of uses in the graph; null for a function that is not an operator. */
  uses: { text: string; query: string } | null
}

export function hoverText(
  { packet, overload, overloads, signature, name }: Meaning,
  rules: Readonly<Record<string, string>>,
  graph: GraphView | null,
): HoverText {
  if (packet === null) return { code: `${name}${signature ?? ''}`, rule: null, uses: null }
  const shown = overload === null ? overloads : overloads.filter((o) => o.name === overload)
  const schemas = (shown.length > 0 ? shown : overloads).slice(0, MAX_OVERLOADS).map((o) => o.schema)
  const more = shown.length - schemas.length
  const target = overload === null ? packet : `${packet}.${overload}`
  const times = graph ? usesOf(graph, target) : 0
  return {
    code: [...schemas, ...(more > 0 ? [`# and ${count(more, 'more overload')}`] : [])].join('\n'),
    rule: rules[packet] ?? null,
    uses: graph && { text: times === 0 ? 'Not in this graph' : `${times} in this graph`, query: `op:${target}` },
  }
}

/** Nodes that call the overload, or any overload of the packet. */
function usesOf({ nodes }: GraphView, target: string): number {
  const calls = (t: string | null): boolean => t !== null && (t === target || t.startsWith(`${target}.`))
  return nodes.filter((n) => calls(n.target) || calls(n.inner)).length
}
