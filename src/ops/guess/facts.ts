/** Known facts about each node's shape during guessing: its sizes and its dtype as variables. */
import { Node, type Arg, type Dim, type Graph, type TensorMeta } from '../../fx'

export class ShapeFacts {
  readonly sizes = new Variables<Dim, Node>((node) => this.sizeChanged(node))
  readonly dtypes = new Variables<string>()
  /** Size variables by node; the rank of a node without an entry is unknown. */
  private readonly dims = new Map<Node, readonly number[]>()
  private readonly dtype = new Map<Node, number>()
  private ranks = 0
  private readonly index: ReadonlyMap<Node, number>
  /** Nodes to visit again: those for the rules that always hold, and those for all rules. */
  readonly open: { hard: OpenNodes; soft: OpenNodes }

  constructor(readonly graph: Graph) {
    const nodes = [...graph.nodes()]
    this.index = new Map(nodes.map((n, i) => [n, i]))
    this.open = { hard: new OpenNodes(nodes), soft: new OpenNodes(nodes) }
    for (const node of nodes) if (node.meta.val?.kind === 'tensor') this.set(node, node.meta.val, node.name)
  }

  /** Rules read the ranks of a node, of its inputs, and of the items taken from it. */
  private rankChanged(node: Node): void {
    this.reopen(node)
    for (const input of node.inputs()) this.reopen(input)
    for (const user of node.users) this.reopen(user)
  }

  private reopen(node: Node): void {
    const i = this.index.get(node)
    if (i === undefined) return
    this.open.hard.add(i)
    this.open.soft.add(i)
  }

  /** Rules read the sizes of inputs. Facts about equal sizes or dtypes hold from the first time on. */
  private sizeChanged(node: Node): void {
    for (const user of node.users) this.reopen(user)
  }

  get changes(): number {
    return this.sizes.changes + this.dtypes.changes + this.ranks
  }

  /** Records a shape. For a node with known sizes, only unknown ones are set. */
  set(node: Node, { shape, dtype }: Pick<TensorMeta, 'shape' | 'dtype'>, origin: string): void {
    this.setDims(
      node,
      shape.map((value) => this.sizes.fresh({ value, origin })),
    )
    this.dtypes.bind(this.dtypeOf(node), dtype, origin)
  }

  dimsOf(arg: Arg | undefined): readonly number[] | null {
    return arg instanceof Node ? (this.dims.get(arg) ?? null) : null
  }

  dtypeOf(node: Node): number {
    let v = this.dtype.get(node)
    if (v === undefined) this.dtype.set(node, (v = this.dtypes.fresh()))
    return v
  }

  setDims(arg: Arg | undefined, dims: readonly number[]): void {
    if (!(arg instanceof Node)) return
    const known = this.dims.get(arg)
    if (!known) {
      this.dims.set(arg, dims)
      for (const d of dims) this.sizes.hold(d, arg)
      this.ranks++
      this.rankChanged(arg)
    } else if (known.length === dims.length) known.forEach((d, i) => this.sizes.unify(d, dims[i]!))
  }

  /** Gives a node this rank, with unknown sizes if it has none. Null if the node has a different rank. */
  withRank(arg: Arg | undefined, rank: number): readonly number[] | null {
    if (!(arg instanceof Node)) return null
    if (!this.dims.has(arg)) {
      this.setDims(
        arg,
        Array.from({ length: rank }, () => this.sizes.fresh()),
      )
    }
    const dims = this.dims.get(arg)!
    return dims.length === rank ? dims : null
  }

  literal(value: Dim, origin: string): number {
    return this.sizes.fresh({ value, origin })
  }

  /** Records that two tensors have the same shape. */
  sameShape(a: Arg | undefined, b: Arg | undefined): void {
    const [x, y] = [this.dimsOf(a), this.dimsOf(b)]
    if (x) this.setDims(b, x)
    else if (y) this.setDims(a, y)
  }

  sameDtype(...args: readonly (Arg | undefined)[]): void {
    const nodes = args.filter((a) => a instanceof Node)
    for (const n of nodes.slice(1)) this.dtypes.unify(this.dtypeOf(nodes[0]!), this.dtypeOf(n))
  }
}

/** The nodes whose rule may yield new facts, because the facts it reads have changed since its last run. */
class OpenNodes {
  private readonly open: Uint8Array
  /** The range of all open nodes, and the range of nodes opened since `start`. */
  private range: Range
  private added: Range

  /** All nodes are open at first. */
  constructor(private readonly nodes: readonly Node[]) {
    this.open = new Uint8Array(this.nodes.length).fill(1)
    this.range = { first: 0, last: this.nodes.length - 1 }
    this.added = this.none()
  }

  get isEmpty(): boolean {
    return this.range.first > this.range.last
  }

  /** @param i index of a node */
  add(i: number): void {
    this.open[i] = 1
    widen(this.range, i)
    widen(this.added, i)
  }

  close(i: number): void {
    this.open[i] = 0
  }

  /** Visits and closes the open nodes from first to last, then from last to first, including nodes opened on the way. */
  sweep(visit: (node: Node, i: number) => void): void {
    const { range } = this
    this.added = this.none()
    for (let i = range.first; i <= range.last; i++) this.visit(i, visit)
    this.range = this.added
    this.added = this.none()
    for (let i = this.range.last; i >= this.range.first; i--) this.visit(i, visit)
    this.range = this.added
  }

  private none(): Range {
    return { first: this.nodes.length, last: -1 }
  }

  private visit(i: number, visit: (node: Node, i: number) => void): void {
    if (!this.open[i]) return
    this.open[i] = 0
    visit(this.nodes[i]!, i)
  }
}

/** Empty if `first > last`. */
interface Range {
  first: number
  last: number
}

function widen(range: Range, i: number): void {
  if (i < range.first) range.first = i
  if (i > range.last) range.last = i
}

/** Unknown sizes and dtypes that turn out equal: a union-find whose classes may have a value. */
interface Bound<T> {
  value: T
  /** Origin of the value: "arg0_1", "the sizes of view_2". */
  origin: string
}

/** @typeParam H holder of a variable, such as the node whose size it is */
class Variables<T, H = never> {
  private readonly parent: number[] = []
  /** By root. */
  private readonly holders: (H[] | null)[] = []
  private readonly bound: (Bound<T> | null)[] = []
  /** Counts merges and bindings, so that a caller can tell whether a round changed anything. */
  changes = 0

  /** @param onChange called for each holder that gets a new value, or whose variable was merged */
  constructor(private readonly onChange: (holder: H) => void = () => {}) {}

  fresh(bound: Bound<T> | null = null): number {
    this.parent.push(this.parent.length)
    this.bound.push(bound)
    this.holders.push(null)
    return this.parent.length - 1
  }

  hold(v: number, holder: H): void {
    const root = this.root(v)
    const known = this.holders[root]
    if (known) known.push(holder)
    else this.holders[root] = [holder]
  }

  get(v: number): Bound<T> | null {
    return this.bound[this.root(v)]!
  }

  same(a: number, b: number): boolean {
    return this.root(a) === this.root(b)
  }

  /** Merges two variables. Two different values stay separate: the graph contradicts the guess. */
  unify(a: number, b: number): void {
    const [x, y] = [this.root(a), this.root(b)]
    if (x === y) return
    const [left, right] = [this.bound[x]!, this.bound[y]!]
    if (left && right && left.value !== right.value) return
    this.parent[y] = x
    this.bound[x] = left ?? right
    this.changes++
    this.merge(x, y, left !== null, right !== null)
  }

  /** Notifies the holders of a class that got a value; if neither class got one, those of the smaller class suffice. */
  private merge(x: number, y: number, hadLeft: boolean, hadRight: boolean): void {
    const [a, b] = [this.holders[x] ?? [], this.holders[y] ?? []]
    const [small, large] = a.length < b.length ? [a, b] : [b, a]
    const changed = hadLeft === hadRight ? small : hadLeft ? b : a
    const told = [...changed]
    for (const h of small) large.push(h)
    this.holders[x] = large
    this.holders[y] = null
    told.forEach(this.onChange)
  }

  bind(v: number, value: T, origin: string): void {
    const root = this.root(v)
    if (this.bound[root]) return
    this.bound[root] = { value, origin }
    this.changes++
    this.holders[root]?.forEach(this.onChange)
  }

  private root(v: number): number {
    let at = v
    while (this.parent[at] !== at) {
      this.parent[at] = this.parent[this.parent[at]!]!
      at = this.parent[at]!
    }
    return at
  }
}
