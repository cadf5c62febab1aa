/** What is known of each node's shape while shapes are guessed: its sizes and its dtype as variables. */
import { Node, type Arg, type Dim, type Graph, type TensorMeta } from '../../fx'
import { OpenNodes } from './open_nodes'
import { Variables } from './variables'

export class ShapeFacts {
  readonly sizes = new Variables<Dim, Node>((node) => this.sizeChanged(node))
  readonly dtypes = new Variables<string>()
  /** Size variables by node; the rank of a node without an entry is unknown. */
  private readonly dims = new Map<Node, readonly number[]>()
  private readonly dtype = new Map<Node, number>()
  private ranks = 0
  private readonly index: ReadonlyMap<Node, number>
  /** Nodes to look at again, under the rules that always hold and under all. */
  readonly open: { hard: OpenNodes; soft: OpenNodes }

  constructor(readonly graph: Graph) {
    const nodes = [...graph.nodes()]
    this.index = new Map(nodes.map((n, i) => [n, i]))
    this.open = { hard: new OpenNodes(nodes), soft: new OpenNodes(nodes) }
    for (const node of nodes) if (node.meta.val?.kind === 'tensor') this.set(node, node.meta.val, node.name)
  }

  /** Rules read the ranks of a node, of its inputs, and of the items that are taken from it. */
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

  /** Rules read the sizes of inputs; that sizes are equal, or of one dtype, holds from the first time on. */
  private sizeChanged(node: Node): void {
    for (const user of node.users) this.reopen(user)
  }

  get changes(): number {
    return this.sizes.changes + this.dtypes.changes + this.ranks
  }

  /** Records a shape. Of a node with sizes, only unknown ones are set. */
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

  /** Gives a node this rank, with unknown sizes if it has none. Null for a node of another rank. */
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

  /** Two tensors of one shape. */
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
