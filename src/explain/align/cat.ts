/** Recognizes the concatenation of a value with itself, which tracing writes as unsqueeze, expand, clone, view. */
import { Node, packetOf } from '../../fx'
import type { CauseParts } from '../causes'
import { listed } from '../../base/english'
import { passesThrough } from '../reasons/operators'

const REPEATED = ['aten.view', 'aten.clone', 'aten.expand', 'aten.unsqueeze']

/**
 * Handles a pattern that concatenates a value with itself where the graph concatenates the value with a moved or cast
 * copy: reports the copy's nodes as extra. Returns null for anything else.
 */
export function catWithCopy(p: Node, g: Node): CauseParts | null {
  if (packetOf(g.target) !== 'aten.cat' || !repeats(p)) return null
  const items = g.inputs()
  if (items.length < 2) return null
  const ways = items.map(wayUp)
  const common = ways[0]!.find((n) => ways.every((way) => way.includes(n)))
  if (!common) return null
  const extra = ways.flatMap((way) => way.slice(0, way.indexOf(common))).reverse()
  if (extra.length === 0) return null
  const operators = [...new Set(extra.map((n) => n.target))]
  return {
    reason: { kind: 'cat-with-copy', node: g.name, nodes: extra.map((n) => n.name), operators },
    pattern: p,
    graph: extra.at(-1)!,
    expected: common.name,
    found: listed(operators),
  }
}

function repeats(p: Node): boolean {
  let at: Node | undefined = p
  for (const packet of REPEATED) {
    if (!at || packetOf(at.target) !== packet) return false
    at = at.inputs()[0]
  }
  return true
}

/** The node and its producers, as long as each only passes its value through. */
function wayUp(node: Node): Node[] {
  const way = [node]
  for (let n = node; passesThrough(n) && way.length < 8;) {
    const from = n.inputs()[0]
    if (!(from instanceof Node)) break
    way.push((n = from))
  }
  return way
}
