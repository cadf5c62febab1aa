/**
 * An order of nodes that depends only on structure and keeps a layer's nodes together. It is a depth-first order from the outputs.
 * Inputs much shallower than their siblings (weights and values computed from them) come right before their user. A node where two
 * branches meet comes after the deeper branch, so an encoder precedes the layers that use its result.
 */
import type { Graph } from '../graph/graph'
import type { Node } from '../graph/node'
import { inputSlots } from './labels'
import type { Lists } from './lists'
import { labelNodes } from './numbers'
import { isBranch, SIDE_LIMIT, tablesOf } from './tables'

/** A graph as arrays over the positions of its nodes in the canonical order. */
export interface Structure {
  nodes: readonly Node[]
  /** Index in the graph's own order, by position. */
  listed: readonly number[]
  operator: Int32Array
  value: Int32Array
  exact: Int32Array
  /** Inputs by argument, with repeats. */
  slots: Lists
  /** Distinct users. */
  users: Lists
}

export function structureOf(graph: Graph): Structure {
  const listed = [...graph.nodes()]
  const listedSlots = inputSlots(listed, indexIn(listed))
  const order = new Ordering(listed, listedSlots).order()
  const nodes = new Array<Node>(order.length)
  for (let at = 0; at < order.length; at++) nodes[at] = listed[order[at]!]!
  const slots = listedSlots.inOrder(order)
  return { nodes, listed: order, ...labelNodes(nodes), slots, users: slots.inverse().distinct() }
}

/** A node's index in the graph's order; its position key usually gives it without a map look-up. */
function indexIn(listed: readonly Node[]): (node: Node) => number {
  const first = listed[0]?.sortKey ?? 0
  const gap = listed.length > 1 ? listed[1]!.sortKey - first : 1
  let index: Map<Node, number> | null = null
  return (node) => {
    const guess = (node.sortKey - first) / gap
    if (listed[guess] === node) return guess
    index ??= new Map(listed.map((n, i) => [n, i]))
    return index.get(node)!
  }
}

/** A value at least this deep that needs several inputs of the graph is a branch, such as an encoder's result beside the decoder. */
const BRANCH_DEPTH = 6
const NONE = -1

class Ordering {
  private readonly depth: Int32Array
  private readonly done: Uint8Array
  /** Users, with repeats. */
  private readonly users: Lists
  /** Position of the trunk node that a node is attached to. */
  private readonly rank: Int32Array
  /** The next node in the order. */
  private readonly following: Int32Array
  private head = NONE
  private last = NONE
  private trunk = 0

  constructor(
    private readonly nodes: readonly Node[],
    private readonly slots: Lists,
  ) {
    this.users = slots.inverse()
    this.depth = depths(slots, this.users)
    this.done = new Uint8Array(nodes.length)
    this.rank = new Int32Array(nodes.length).fill(NONE)
    this.following = new Int32Array(nodes.length).fill(NONE)
  }

  order(): number[] {
    // Nodes in a cycle reach no sink: append every remaining node.
    const all: number[] = []
    for (let i = 0; i < this.nodes.length; i++) if (this.nodes[i]!.op !== 'output') all.push(i)
    const sinks = this.sinks()
    for (const table of tablesOf(this.nodes, this.slots, this.depth))
      if (!this.done[table]) this.append(this.visit(table))
    for (let n = 0; n < sinks.length + all.length; n++) {
      const sink = n < sinks.length ? sinks[n]! : all[n - sinks.length]!
      if (this.done[sink]) continue
      const found = this.visit(sink)
      const beside = found.length <= SIDE_LIMIT ? this.besideOf(found) : NONE
      if (beside === NONE) this.append(found)
      else this.insert(found, beside)
    }
    for (let i = 0; i < this.nodes.length; i++) if (this.nodes[i]!.op === 'output') this.append([i])
    const order: number[] = []
    for (let i = this.head; i !== NONE; i = this.following[i]!) order.push(i)
    return order
  }

  /** The roots: returned values and unused nodes, the deepest first, then from shallow to deep; unused inputs before all. */
  private sinks(): number[] {
    const used = new Uint8Array(this.nodes.length)
    const returned = new Set<number>()
    const { starts, items } = this.slots
    for (let user = 0; user < this.nodes.length; user++) {
      const output = this.nodes[user]!.op === 'output'
      for (let j = starts[user]!; j < starts[user + 1]!; j++) {
        if (output) returned.add(items[j]!)
        else used[items[j]!] = 1
      }
    }
    for (let i = 0; i < this.nodes.length; i++) if (!used[i] && this.nodes[i]!.op !== 'output') returned.add(i)
    const sinks = [...returned]
    const unused = sinks.filter((i) => this.slots.count(i) === 0)
    const rest = sinks.filter((i) => this.slots.count(i) > 0)
    const deepest = rest.reduce((a, b) => (a === NONE || this.depth[b]! > this.depth[a]! ? b : a), NONE)
    rest.sort((a, b) => this.depth[a]! - this.depth[b]!)
    return deepest === NONE ? unused : [...unused, deepest, ...rest]
  }

  /** The nodes that `root` needs and that have no position yet, in post-order. */
  private visit(root: number): number[] {
    const found: number[] = []
    const { starts, items } = this.slots
    // The search stack: per level a node, an array that holds its inputs, the next input's index and their end.
    const nodes: number[] = []
    const inputs: (readonly number[] | Int32Array)[] = []
    const at: number[] = []
    const end: number[] = []
    let top = -1
    const enter = (node: number): void => {
      this.done[node] = 1
      const own = this.otherOrder(node)
      nodes[++top] = node
      inputs[top] = own ?? items
      at[top] = own ? 0 : starts[node]!
      end[top] = own ? own.length : starts[node + 1]!
    }
    enter(root)
    while (top >= 0) {
      if (at[top]! === end[top]!) {
        found.push(nodes[top--]!)
        continue
      }
      const next = inputs[top]![at[top]!++]!
      if (!this.done[next]) enter(next)
    }
    return found
  }

  /** A node's inputs in visiting order; null if that is the order of its arguments. */
  private otherOrder(node: number): readonly number[] | null {
    const { starts, items } = this.slots
    let deepest = 0
    let least = 2 ** 30
    for (let j = starts[node]!; j < starts[node + 1]!; j++) {
      const depth = this.depth[items[j]!]!
      if (depth > deepest) deepest = depth
      if (depth < least) least = depth
    }
    return least * 2 >= deepest ? null : this.withSidesLast(this.slots.of(node), deepest)
  }

  private withSidesLast(slots: Int32Array, deepest: number): readonly number[] | null {
    const ordered: number[] = []
    const sides: number[] = []
    let branches = false
    let inOrder = true
    for (let j = 0; j < slots.length; j++) {
      const i = slots[j]!
      const shallow = this.depth[i]! * 2 < deepest
      const branch = shallow && this.isBranch(i)
      if (branch) branches = true
      if (shallow && !branch) sides.push(i)
      else {
        ordered.push(i)
        if (sides.length > 0) inOrder = false
      }
    }
    if (!branches && inOrder) return null
    for (let j = 0; j < sides.length; j++) ordered.push(sides[j]!)
    return branches ? [this.sourceOf(slots.find((i) => this.depth[i] === deepest)!), ...ordered] : ordered
  }

  private isBranch(node: number): boolean {
    return !this.done[node] && this.depth[node]! >= BRANCH_DEPTH && isBranch(this.nodes, this.slots, node)
  }

  /** The node with several users at which a chain into `node` begins: the result of an encoder. */
  private sourceOf(node: number): number {
    let at = node
    while (!this.done[at] && this.users.count(at) < 2) {
      let next = NONE
      for (const i of this.slots.of(at)) if (next === NONE || this.depth[i]! > this.depth[next]!) next = i
      if (next === NONE) break
      at = next
    }
    return at
  }

  private append(found: readonly number[]): void {
    for (let n = 0; n < found.length; n++) {
      const i = found[n]!
      this.rank[i] = this.trunk++
      if (this.last === NONE) this.head = i
      else this.following[this.last] = i
      this.last = i
    }
  }

  private insert(found: readonly number[], beside: number): void {
    const after = this.following[beside]!
    let at = beside
    for (const i of found) {
      this.rank[i] = this.rank[beside]!
      this.following[at] = i
      at = i
    }
    this.following[at] = after
    if (this.last === beside) this.last = at
  }

  /** The last placed node that `found` depends on. */
  private besideOf(found: readonly number[]): number {
    const own = new Set(found)
    let best = NONE
    for (const i of found)
      for (const input of this.slots.of(i))
        if (!own.has(input) && (best === NONE || this.rank[input]! > this.rank[best]!)) best = input
    return best
  }
}

/** Length of the longest path from a node without inputs; 0 in a cycle. */
function depths(slots: Lists, users: Lists): Int32Array {
  const size = slots.starts.length - 1
  const depth = new Int32Array(size)
  const open = new Int32Array(size)
  const ready = new Int32Array(size)
  let count = 0
  for (let i = 0; i < size; i++) {
    open[i] = slots.count(i)
    if (open[i] === 0) ready[count++] = i
  }
  for (let at = 0; at < count; at++) {
    const node = ready[at]!
    for (let j = users.starts[node]!; j < users.starts[node + 1]!; j++) {
      const user = users.items[j]!
      if (depth[user]! <= depth[node]!) depth[user] = depth[node]! + 1
      if (--open[user]! === 0) ready[count++] = user
    }
  }
  return depth
}
