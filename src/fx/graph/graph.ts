/**
 * torch.fx.Graph in TypeScript: nodes in order, their users, and the edits that passes make. Names, and the effects of
 * each edit on users and node names, are torch.fx's own (torch/fx/graph.py).
 */
import { Namespace } from './namespace'
import { mapArgs, NO_KWARGS, Node, type Arg, type NodeOp, type NodeOwner } from './node'

const NO_ARGS: readonly Arg[] = []

const SORT_GAP = 2 ** 20

export class Graph implements NodeOwner {
  /** Sentinel of the circular list; never visited. */
  private readonly root: Node
  private insertBefore: Node
  private insertAfter: Node | null = null
  readonly namespace = new Namespace()
  /** Bodies of higher-order operators, by the parent's attribute name. */
  readonly subgraphs = new Map<string, Graph>()
  private count = 0

  constructor() {
    this.root = new Node(this, '', 'output', 'root')
    this.insertBefore = this.root
  }

  get size(): number {
    return this.count
  }

  /** Nodes in order. The graph may be edited during iteration, as in FX: an erased node keeps its `next`. */
  *nodes(): IterableIterator<Node> {
    for (let n = this.root.next; n !== this.root; n = n.next) if (!n.erased) yield n
  }

  /** Nodes in reverse order, under the same rule. */
  *reversed(): IterableIterator<Node> {
    for (let n = this.root.prev; n !== this.root; n = n.prev) if (!n.erased) yield n
  }

  /**
   * Links this copy's nodes as `original`'s are linked. An erased node can remain in one direction of FX's list: after a node is
   * inserted before it, forward iteration still visits it, backward iteration (dead-code elimination) misses the new node, and a
   * sort that moves nodes behind it loses them.
   * @param map from the original's nodes to their copies, in order; copies of erased nodes are added
   */
  linkAs(original: Graph, map: Map<Node, Node>): void {
    const rootOf = original.root
    const copyOf = (n: Node): Node => {
      if (n === rootOf) return this.root
      const known = map.get(n)
      if (known) return known
      const made = this.createErased(n)
      map.set(n, made)
      made.next = copyOf(n.next)
      made.prev = copyOf(n.prev)
      return made
    }
    for (const [n, c] of [...map, [rootOf, this.root] as const]) {
      c.next = copyOf(n.next)
      c.prev = copyOf(n.prev)
      c.sortKey = n.sortKey
    }
  }

  /** A copy of an erased node of another graph, without arguments and outside the list. */
  createErased(original: Node): Node {
    const made = new Node(this, original.name, original.op, original.target)
    made.erased = true
    made.sortKey = original.sortKey
    return made
  }

  /** True if an erased node remains in the list, in either direction. */
  get passesErased(): boolean {
    for (let n = this.root.next; n !== this.root; n = n.next) if (n.erased || n.next.prev !== n) return true
    return false
  }

  get first(): Node | null {
    return this.root.next === this.root ? null : this.root.next
  }

  get last(): Node | null {
    return this.root.prev === this.root ? null : this.root.prev
  }

  /** Finds the node with this name by linear search; build a Map for many look-ups. */
  find(name: string): Node | null {
    for (const n of this.nodes()) if (n.name === name) return n
    return null
  }

  output(): Node | null {
    for (let n = this.root.prev; n !== this.root; n = n.prev) if (n.op === 'output') return n
    return null
  }

  /**
   * Creates a node at the insertion point. `name` is a candidate that the namespace makes unique as FX does (`add` →
   * `add_1`); by default it is derived from the target (`aten.add.Tensor` → `add_tensor`).
   */
  createNode(
    op: NodeOp,
    target: string,
    args: readonly Arg[] = NO_ARGS,
    kwargs: ReadonlyMap<string, Arg> = NO_KWARGS,
    name?: string,
  ): Node {
    return this.insertNode(
      this.namespace.createName(name ?? Namespace.candidateFor(op, target)),
      op,
      target,
      args,
      kwargs,
    )
  }

  /** Creates a node with exactly this name, for readers and copies. The caller ensures that the name is unused. */
  createNamed(
    name: string,
    op: NodeOp,
    target: string,
    args: readonly Arg[] = NO_ARGS,
    kwargs: ReadonlyMap<string, Arg> = NO_KWARGS,
  ): Node {
    this.namespace.take(name)
    return this.insertNode(name, op, target, args, kwargs)
  }

  /** Appends a copy of another graph's node without its arguments. The caller copies the namespace too. */
  createCopy({ name, op, target, meta, type }: Node): Node {
    const made = this.insertNode(name, op, target, NO_ARGS, NO_KWARGS)
    made.meta = { ...meta }
    made.type = type
    return made
  }

  private insertNode(
    name: string,
    op: NodeOp,
    target: string,
    args: readonly Arg[],
    kwargs: ReadonlyMap<string, Arg>,
  ): Node {
    const node = new Node(this, name, op, target)
    node.setArgs(args, kwargs)
    if (this.insertAfter) this.link(node, this.insertAfter.next)
    else this.link(node, this.insertBefore)
    this.count++
    return node
  }

  /** Runs `make` with new nodes inserted before `node` (null: at the end). */
  insertingBefore<T>(node: Node | null, make: () => T): T {
    return this.inserting(node ?? this.root, null, make)
  }

  /** Runs `make` with each new node inserted right after `node`: as in FX, several end up in reverse order. */
  insertingAfter<T>(node: Node, make: () => T): T {
    return this.inserting(this.insertBefore, node, make)
  }

  private inserting<T>(before: Node, after: Node | null, make: () => T): T {
    const saved = { before: this.insertBefore, after: this.insertAfter }
    this.insertBefore = before
    this.insertAfter = after
    try {
      return make()
    } finally {
      this.insertBefore = saved.before
      this.insertAfter = saved.after
    }
  }

  /** Removes a node without users. Its name stays taken, and its arguments keep their form, with null for nodes, as in FX. */
  eraseNode(node: Node): void {
    if (node.users.size > 0)
      throw new Error(`Tried to erase Node ${node.name} but it still had ${node.users.size} users in the graph`)
    if (node.erased) return
    node.setArgs(...mapArgs(node.args, node.kwargs, () => null))
    node.prev.next = node.next
    node.next.prev = node.prev
    node.erased = true
    this.count--
    if (this.insertBefore === node) this.insertBefore = node.next
    if (this.insertAfter === node) this.insertAfter = node.prev
  }

  /** Moves `node` right before `at` (null: to the end). */
  move(node: Node, at: Node | null): void {
    if (node === at) return
    node.prev.next = node.next
    node.next.prev = node.prev
    this.link(node, at ?? this.root)
  }

  /** Moves `node` right after `at`. */
  moveAfter(node: Node, at: Node): void {
    if (node !== at && at.next !== node) this.move(node, at.next === this.root ? null : at.next)
  }

  private link(node: Node, before: Node): void {
    const prev = before.prev
    prev.next = node
    node.prev = prev
    node.next = before
    before.prev = node
    const low = prev === this.root ? 0 : prev.sortKey
    if (before === this.root) node.sortKey = low + SORT_GAP
    else {
      node.sortKey = (low + before.sortKey) / 2
      // Halving runs out of bits after many inserts at one position: renumber all nodes then.
      if (node.sortKey <= low || node.sortKey >= before.sortKey) this.renumber()
    }
  }

  private renumber(): void {
    let key = SORT_GAP
    for (let n = this.root.next; n !== this.root; n = n.next, key += SORT_GAP) n.sortKey = key
  }
}

/** The graph that owns a node; only a Graph creates nodes. */
export const graphOf = (node: Node): Graph => node.graph as Graph
