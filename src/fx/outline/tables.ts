/** Values that several layers use but none computes: rotary tables, masks, relative position biases. */
import type { Node } from '../graph/node'
import { operatorText } from './labels'
import type { Lists } from './lists'

/** Minimum difference of depth between a table's users: larger than inside a norm. */
const LEAST_SPREAD = 10
/** A table depends on fewer inputs of the graph than BRANCH_INPUTS, and at most SIDE_LIMIT nodes compute it. */
export const [BRANCH_INPUTS, SIDE_LIMIT] = [5, 200]

/**
 * Tables, from shallow to deep. A value that each layer computes for itself and uses at several depths (the decay of a scan) is not
 * a table; it has equals in the other layers.
 */
export function tablesOf(nodes: readonly Node[], slots: Lists, depth: Int32Array): number[] {
  const [least, most] = userDepths(nodes, slots, depth)
  const { starts, items } = slots
  const found: number[] = []
  // Nodes that depend on a branch are branches.
  const branch = new Uint8Array(nodes.length)
  for (let i = 0; i < nodes.length; i++) {
    for (let j = starts[i]!; j < starts[i + 1]!; j++) if (branch[items[j]!]) branch[i] = 1
    if (branch[i] || slots.count(i) === 0 || most[i]! - least[i]! < LEAST_SPREAD) continue
    if (isBranch(nodes, slots, i)) branch[i] = 1
    else found.push(i)
  }
  if (found.length === 0) return found
  const signature = signatures(nodes, slots)
  const counts = new Map<string, number>()
  for (const i of found) counts.set(signature(i), (counts.get(signature(i)) ?? 0) + 1)
  return found.filter((i) => counts.get(signature(i)) === 1).sort((a, b) => depth[a]! - depth[b]!)
}

/**
 * The depths of the first and the last user. The output node is ignored, because a layer also returns values for the backward
 * graph.
 */
function userDepths(
  nodes: readonly Node[],
  { starts, items }: Lists,
  depth: Int32Array,
): readonly [Int32Array, Int32Array] {
  const least = new Int32Array(nodes.length).fill(2 ** 30)
  const most = new Int32Array(nodes.length)
  for (let user = 0; user < nodes.length; user++) {
    if (nodes[user]!.op === 'output') continue
    const own = depth[user]!
    for (let j = starts[user]!; j < starts[user + 1]!; j++) {
      const input = items[j]!
      if (own < least[input]!) least[input] = own
      if (own > most[input]!) most[input] = own
    }
  }
  return [least, most]
}

/** True if `node` depends on several inputs of the graph, such as weights, or on many nodes. */
export function isBranch(nodes: readonly Node[], slots: Lists, node: number): boolean {
  const seen = new Set([node])
  let leaves = 0
  for (const i of seen) {
    const { op } = nodes[i]!
    if (op === 'placeholder' || op === 'get_attr') leaves++
    if (leaves >= BRANCH_INPUTS || seen.size > SIDE_LIMIT) return true
    for (const input of slots.of(i)) seen.add(input)
  }
  return false
}

/** A signature of the computation of a node, without names. */
function signatures(nodes: readonly Node[], slots: Lists): (node: number) => string {
  const known = new Map<number, string>()
  const numbers = new Map<string, number>()
  const of = (node: number): string => {
    let text = known.get(node)
    if (text === undefined) {
      known.set(node, '')
      text = `${operatorText(nodes[node]!)}(${slots
        .of(node)
        .map((i) => numbered(of(i)))
        .join()})`
      known.set(node, text)
    }
    return text
  }
  const numbered = (text: string): number => {
    if (!numbers.has(text)) numbers.set(text, numbers.size)
    return numbers.get(text)!
  }
  return of
}
