/**
 * An order of nodes that depends on structure only, in which a layer's nodes are neighbors: depth first from the outputs,
 * inputs that are far less deep than their siblings (weights, what is computed from them) right before their user, and what
 * two branches meet at after the deeper of them: an encoder before the layers that use its result.
 */
import type { Graph } from '../graph/graph'
import type { Node } from '../graph/node'
import { inputSlots } from './labels'
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
  slots: readonly (readonly number[])[]
  /** Distinct users. */
  users: readonly (readonly number[])[]
}

export function structureOf(graph: Graph): Structure {
  const listed = [...graph.nodes()]
  const indexOf = indexIn(listed)
  const slotsOf = listed.map((n) => inputSlots(n, indexOf))
  const order = new Ordering(listed, slotsOf).order()
  const position = new Int32Array(order.length)
  for (let at = 0; at < order.length; at++) position[order[at]!] = at
  const nodes = new Array<Node>(order.length)
  const slots = new Array<number[]>(order.length)
  for (let at = 0; at < order.length; at++) {
    nodes[at] = listed[order[at]!]!
    const list = slotsOf[order[at]!]!
    for (let j = 0; j < list.length; j++) list[j] = position[list[j]!]!
    slots[at] = list
  }
  return { nodes, listed: order, ...labelNodes(nodes), slots, users: usersOf(slots) }
}

/** The index of a node in the graph's order; most often its position key tells, without a look into a map. */
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

/** Distinct users by input, ascending. */
function usersOf(slots: readonly (readonly number[])[]): number[][] {
  const count = new Int32Array(slots.length)
  const last = new Int32Array(slots.length).fill(NONE)
  const each = (visit: (input: number, user: number) => void): void => {
    for (let user = 0; user < slots.length; user++) {
      const list = slots[user]!
      for (let j = 0; j < list.length; j++) {
        const input = list[j]!
        if (last[input] === user) continue
        last[input] = user
        visit(input, user)
      }
    }
    last.fill(NONE)
  }
  each((input) => count[input]!++)
  // Most nodes have one user; an array that grows takes room for 17.
  const users = Array.from(count, (n) => new Array<number>(n))
  const next = new Int32Array(slots.length)
  each((input, user) => (users[input]![next[input]!++] = user))
  return users
}

/** A value at least this deep that needs several inputs of the graph is a branch: the decoder beside the encoder's result. */
const BRANCH_DEPTH = 6
const NONE = -1

class Ordering {
  private readonly depth: Int32Array
  private readonly done: Uint8Array
  private readonly userCount: Int32Array
  /** Position of the node in the trunk that a node is beside. */
  private readonly rank: Int32Array
  /** The node that follows in the order. */
  private readonly following: Int32Array
  private head = NONE
  private last = NONE
  private trunk = 0

  constructor(
    private readonly nodes: readonly Node[],
    private readonly slots: readonly (readonly number[])[],
  ) {
    this.depth = depths(slots)
    this.done = new Uint8Array(nodes.length)
    this.userCount = new Int32Array(nodes.length)
    for (let n = 0; n < slots.length; n++) for (let j = 0; j < slots[n]!.length; j++) this.userCount[slots[n]![j]!]!++
    this.rank = new Int32Array(nodes.length).fill(NONE)
    this.following = new Int32Array(nodes.length).fill(NONE)
  }

  order(): number[] {
    // The nodes of a cycle have no sink: all nodes follow the sinks.
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

  /** What the outputs return and what nothing uses, the deepest first, then from shallow to deep; unused inputs before all. */
  private sinks(): number[] {
    const used = new Uint8Array(this.nodes.length)
    const returned = new Set<number>()
    for (let user = 0; user < this.slots.length; user++) {
      const list = this.slots[user]!
      const output = this.nodes[user]!.op === 'output'
      for (let j = 0; j < list.length; j++) {
        if (output) returned.add(list[j]!)
        else used[list[j]!] = 1
      }
    }
    for (let i = 0; i < this.nodes.length; i++) if (!used[i] && this.nodes[i]!.op !== 'output') returned.add(i)
    const sinks = [...returned]
    const unused = sinks.filter((i) => this.slots[i]!.length === 0)
    const rest = sinks.filter((i) => this.slots[i]!.length > 0)
    const deepest = rest.reduce((a, b) => (a === NONE || this.depth[b]! > this.depth[a]! ? b : a), NONE)
    rest.sort((a, b) => this.depth[a]! - this.depth[b]!)
    return deepest === NONE ? unused : [...unused, deepest, ...rest]
  }

  /** The nodes that `root` needs and that have no place yet, in post-order. */
  private visit(root: number): number[] {
    const found: number[] = []
    // A node, its inputs and the next of them, by depth of the search.
    const nodes = [root]
    const inputs = [this.inputsOf(root)]
    const at = [0]
    this.done[root] = 1
    for (let top = 0; top >= 0;) {
      const next = inputs[top]![at[top]!++]
      if (next === undefined) found.push(nodes[top--]!)
      else if (!this.done[next]) {
        this.done[next] = 1
        top++
        nodes[top] = next
        inputs[top] = this.inputsOf(next)
        at[top] = 0
      }
    }
    return found
  }

  private inputsOf(node: number): readonly number[] {
    const slots = this.slots[node]!
    if (slots.length < 2) return slots
    let deepest = 0
    let least = 2 ** 30
    for (let j = 0; j < slots.length; j++) {
      const depth = this.depth[slots[j]!]!
      if (depth > deepest) deepest = depth
      if (depth < least) least = depth
    }
    return least * 2 >= deepest ? slots : this.withSidesLast(slots, deepest)
  }

  private withSidesLast(slots: readonly number[], deepest: number): readonly number[] {
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
    if (!branches && inOrder) return slots
    for (let j = 0; j < sides.length; j++) ordered.push(sides[j]!)
    return branches ? [this.sourceOf(slots.find((i) => this.depth[i] === deepest)!), ...ordered] : ordered
  }

  private isBranch(node: number): boolean {
    return !this.done[node] && this.depth[node]! >= BRANCH_DEPTH && isBranch(this.nodes, this.slots, node)
  }

  /** The node with several users that a chain into `node` begins at: the result of an encoder. */
  private sourceOf(node: number): number {
    let at = node
    while (!this.done[at] && this.userCount[at]! < 2) {
      let next = NONE
      for (const i of this.slots[at]!) if (next === NONE || this.depth[i]! > this.depth[next]!) next = i
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

  /** The last of the nodes with a place that `found` depends on. */
  private besideOf(found: readonly number[]): number {
    const own = new Set(found)
    let best = NONE
    for (const i of found)
      for (const input of this.slots[i]!)
        if (!own.has(input) && (best === NONE || this.rank[input]! > this.rank[best]!)) best = input
    return best
  }
}

/** Longest path from a node without inputs; 0 in a cycle. */
export function depths(slots: readonly (readonly number[])[]): Int32Array {
  const size = slots.length
  const depth = new Int32Array(size)
  const open = new Int32Array(size)
  // The users of input i, with repeats: users[ends[i - 1] … ends[i]].
  const ends = new Int32Array(size + 1)
  for (let n = 0; n < size; n++) for (let j = 0; j < slots[n]!.length; j++) ends[slots[n]![j]! + 1]!++
  for (let i = 0; i < size; i++) ends[i + 1]! += ends[i]!
  const users = new Int32Array(ends[size]!)
  const ready = new Int32Array(size)
  let count = 0
  for (let user = 0; user < size; user++) {
    const list = slots[user]!
    open[user] = list.length
    for (let j = 0; j < list.length; j++) users[ends[list[j]!]!++] = user
    if (list.length === 0) ready[count++] = user
  }
  for (let at = 0; at < count; at++) {
    const node = ready[at]!
    for (let i = node > 0 ? ends[node - 1]! : 0; i < ends[node]!; i++) {
      const user = users[i]!
      if (depth[user]! <= depth[node]!) depth[user] = depth[node]! + 1
      if (--open[user]! === 0) ready[count++] = user
    }
  }
  return depth
}
