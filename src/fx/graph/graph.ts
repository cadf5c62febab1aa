/**
 * torch.fx.Graph, in TypeScript: nodes in order with their users kept, and the few edits that passes make.
 * The names, and what each edit does to users and to node names, are torch.fx's own (torch/fx/graph.py, node.py).
 */
import { Namespace } from './namespace'
import type { Arg, ConstantValues, Val } from '../value'
import { mapArgs, visitNodes } from './visit'

export type NodeOp = 'placeholder' | 'call_function' | 'call_method' | 'call_module' | 'get_attr' | 'output'

/** The line of user code a node came from: of the model, where a dump says so; of the pattern, for traced nodes. */
export interface SourceRef {
  file: string
  line: number
  /** The function, when known. */
  fn?: string
  /** The text of the line, when known. */
  code?: string
  /** The expressions that led here, innermost first; only where they were asked for (PythonHost.precisePlaces). */
  spans?: readonly SourceSpan[]
}

/** Where an expression stands: lines from 1; columns from 0, counted in UTF-8 bytes, as Python's ast has them. */
export type SourceSpan = readonly [file: string, line: number, column: number, endLine: number, endColumn: number]

export interface NodeMeta {
  val?: Val
  source?: SourceRef
  /** node.meta["custom"]: streams, mempools and whatever else a user put there. */
  custom?: Readonly<Record<string, unknown>>
  /** Further keys of node.meta, as `print_readable(additional_meta=["stream_label"])` prints them. */
  additional?: Readonly<Record<string, unknown>>
  /** For a get_attr of a constant tensor: its values, when known. The pattern matcher compares them. */
  constant?: ConstantValues
  /** Line of the graph text the node was read from, from 1. */
  textLine?: number
}

export class Node {
  readonly users = new Set<Node>()
  prev: Node
  next: Node
  /** Position key; only its order means something. Kept by Graph. */
  sortKey = 0
  erased = false
  meta: NodeMeta = {}
  /** The Python type annotation a placeholder was printed with (`torch.Tensor`), or null. */
  type: string | null = null

  /** Use Graph.createNode. */
  constructor(
    readonly graph: Graph,
    public name: string,
    readonly op: NodeOp,
    /**
     * Qualified name without `torch.ops.`: `aten.add.Tensor`, `higher_order.auto_functionalized`, `_C.rms_norm.default`;
     * other functions as Python names them: `operator.getitem`, `torch.nn.functional.relu`, with `python:` before those
     * outside torch, operator, math and builtins (`python:my_model.fn`; see target.ts); the attribute, argument or method
     * name for the other ops; `output` for output.
     */
    public target: string,
    private _args: readonly Arg[],
    private _kwargs: ReadonlyMap<string, Arg>,
  ) {
    this.prev = this
    this.next = this
  }

  get args(): readonly Arg[] {
    return this._args
  }

  set args(args: readonly Arg[]) {
    this.setArgs(args, this._kwargs)
  }

  get kwargs(): ReadonlyMap<string, Arg> {
    return this._kwargs
  }

  set kwargs(kwargs: ReadonlyMap<string, Arg>) {
    this.setArgs(this._args, kwargs)
  }

  /** Replaces arguments and keeps `users` of the old and new inputs right. */
  setArgs(args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>): void {
    for (const a of this._args) this.unuse(a)
    if (this._kwargs.size > 0) for (const a of this._kwargs.values()) this.unuse(a)
    this._args = args
    this._kwargs = kwargs
    for (const a of args) this.use(a)
    if (kwargs.size > 0) for (const a of kwargs.values()) this.use(a)
  }

  private use(arg: Arg): void {
    if (arg instanceof Node) arg.users.add(this)
    else if (typeof arg === 'object') visitNodes(arg, (n) => n.users.add(this))
  }

  private unuse(arg: Arg): void {
    if (arg instanceof Node) arg.users.delete(this)
    else if (typeof arg === 'object') visitNodes(arg, (n) => n.users.delete(this))
  }

  /** Distinct nodes this one uses, in the order of args, then kwargs (FX's all_input_nodes). */
  inputs(): Node[] {
    const seen = new Set<Node>()
    this.visitInputs((n) => seen.add(n))
    return [...seen]
  }

  private visitInputs(fn: (n: Node) => void): void {
    for (const a of this._args) visitNodes(a, fn)
    if (this._kwargs.size > 0) for (const a of this._kwargs.values()) visitNodes(a, fn)
  }

  /** Every use of this node becomes a use of `replacement`. Returns the users that changed. */
  replaceAllUsesWith(replacement: Node): Node[] {
    const changed = [...this.users]
    for (const user of changed) user.replaceInput(this, replacement)
    return changed
  }

  replaceInput(old: Node, replacement: Arg): void {
    const used = old.users.delete(this)
    // As when all arguments are set anew, this node becomes the last user of each input. Where it is the only one, as it
    // mostly is in a graph of thousands of outputs, nothing is to be done.
    this.visitInputs((n) => {
      if (n !== old && n.users.size > 1 && n.users.delete(this)) n.users.add(this)
    })
    if (!used) return
    ;[this._args, this._kwargs] = mapArgs(this._args, this._kwargs, (n) => (n === old ? replacement : n))
    visitNodes(replacement, (n) => n.users.add(this))
  }

  /** True when this node comes before `other` in the graph's order. */
  isBefore(other: Node): boolean {
    return this.sortKey < other.sortKey
  }

  toString(): string {
    return this.name
  }
}

const NO_ARGS: readonly Arg[] = []
/** The kwargs of a node without any; most nodes share it. */
export const NO_KWARGS: ReadonlyMap<string, Arg> = new Map()

const SORT_GAP = 2 ** 20

export class Graph {
  /** Sentinel of the circular list; never visited. */
  private readonly root: Node
  private insertBefore: Node
  private insertAfter: Node | null = null
  readonly namespace = new Namespace()
  /** Bodies of higher-order operators, by the attribute name the parent reads them through. */
  readonly subgraphs = new Map<string, Graph>()
  private count = 0

  constructor() {
    this.root = new Node(this, '', 'output', 'root', NO_ARGS, NO_KWARGS)
    this.insertBefore = this.root
  }

  get size(): number {
    return this.count
  }

  /** In order. The graph may be edited on the way, as in FX: an erased node keeps its own `next` for the walk. */
  *nodes(): IterableIterator<Node> {
    for (let n = this.root.next; n !== this.root; n = n.next) if (!n.erased) yield n
  }

  /** In reverse order, under the same rule. */
  *reversed(): IterableIterator<Node> {
    for (let n = this.root.prev; n !== this.root; n = n.prev) if (!n.erased) yield n
  }

  get first(): Node | null {
    return this.root.next === this.root ? null : this.root.next
  }

  get last(): Node | null {
    return this.root.prev === this.root ? null : this.root.prev
  }

  /** The node of that name: a walk, so build a Map to look up many. */
  find(name: string): Node | null {
    for (const n of this.nodes()) if (n.name === name) return n
    return null
  }

  output(): Node | null {
    for (let n = this.root.prev; n !== this.root; n = n.prev) if (n.op === 'output') return n
    return null
  }

  /**
   * Makes a node at the insertion point. `name` is a candidate: the namespace makes it unique as FX does
   * (`add` → `add_1`); without one, it is derived from the target (`aten.add.Tensor` → `add_tensor`).
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

  /** A node under exactly this name, for readers and copies. The caller has looked that no other node has it. */
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

  private insertNode(
    name: string,
    op: NodeOp,
    target: string,
    args: readonly Arg[],
    kwargs: ReadonlyMap<string, Arg>,
  ): Node {
    const node = new Node(this, name, op, target, NO_ARGS, NO_KWARGS)
    node.setArgs(args, kwargs)
    if (this.insertAfter) this.link(node, this.insertAfter.next)
    else this.link(node, this.insertBefore)
    this.count++
    return node
  }

  /** Runs `make` with new nodes going before `node` (null: at the end). */
  insertingBefore<T>(node: Node | null, make: () => T): T {
    return this.inserting(node ?? this.root, null, make)
  }

  /** Runs `make` with each new node going right after `node`: as in FX, several come out in reverse. */
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

  /** Removes a node without users. Its name stays taken, as in FX. */
  eraseNode(node: Node): void {
    if (node.users.size > 0)
      throw new Error(`Tried to erase Node ${node.name} but it still had ${node.users.size} users in the graph`)
    if (node.erased) return
    node.setArgs(NO_ARGS, NO_KWARGS)
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
      // Halving runs out of bits after many inserts at one place: number everything anew then.
      if (node.sortKey <= low || node.sortKey >= before.sortKey) this.renumber()
    }
  }

  private renumber(): void {
    let key = SORT_GAP
    for (let n = this.root.next; n !== this.root; n = n.next, key += SORT_GAP) n.sortKey = key
  }
}
