/** A trace in progress: the graph as make_fx records it (torch.fx.experimental.proxy_tensor). */
import {
  Graph,
  Node,
  dict,
  sym,
  tuple,
  type Arg,
  type ConstantValues,
  type Dim,
  type SourceRef,
  type SymExpr,
  type Val,
} from '../fx'
import {
  dimArg,
  isDict,
  isFake,
  isSym,
  isTuple,
  itemsOf,
  rankOf,
  sizeArg,
  type DispatchArg,
  type FakeTensor,
} from '../ops/fake'
import { wrapDim } from '../ops/op_call'
import { TorchError } from '../ops/torch_error'
import type { DecompositionTable } from './decomposition_table'
import type { JointTrace } from './joint/joint_graph'
import { type GivenSize, givenSizes, inheritSizes, sizeAmong, sizedIn, SymbolTable } from './symbols'

export class Recorder {
  readonly graph = new Graph()
  /** The tensor or scalar of each node. */
  readonly values = new Map<Node, DispatchArg>()
  /** True for a trace of the forward and the backward pass. */
  joint: JointTrace | null = null
  /** Grad mode: what runs in the trace requires gradients. */
  grad = false
  /** Null: Inductor's own. */
  decompositions: DecompositionTable | null = null
  /** In a branch of a higher-order operator: the outside tensors, which are its inputs in this order. */
  outside: FakeTensor[] | null = null
  /** True if a body may have symbolic sizes: PyTorch 2.6 refuses a graph with such a body. */
  sizedBodies = false
  private readonly tensors = new Map<FakeTensor, Node>()
  private readonly symbols: SymbolTable
  private readonly constants = new Map<FakeTensor, { name: string; values: ConstantValues | undefined; outer?: true }>()
  /** The node of each symbolic result, by its number; the node of an input's size is created when the size is first used. */
  private readonly results = new Map<number, Node | (() => Node)>()
  /** The tensors of the calls that are being decomposed: a size that a decomposition reads belongs to one of them. */
  private near: readonly FakeTensor[] = []
  /** The tensors of the call that is being recorded, whose sizes are looked up first. */
  private own: readonly FakeTensor[] = []
  private source: SourceRef | undefined

  /** @param outer values of constants created outside any trace: a fake tensor keeps the values of one-element constants */
  constructor(
    private readonly outer: { get(t: FakeTensor): ConstantValues | undefined },
    private readonly nextId: () => number,
    fixed: ReadonlyMap<string, number>,
  ) {
    this.symbols = new SymbolTable((target, args) => this.node(target, args, new Map()), fixed)
  }

  placeholder(name: string, value: DispatchArg): void {
    const made = `${name}_1`
    const node = this.graph.createNode('placeholder', made, [], undefined, made)
    node.target = node.name // the leaves of one argument share its name: xs_1, xs_2
    if (isFake(value) && value.sizes === undefined) this.number(value, node)
    this.track(value, node)
  }

  /** A placeholder with exactly this name, after the existing ones. */
  input(name: string, value: DispatchArg): void {
    const last = [...this.graph.nodes()].filter((n) => n.op === 'placeholder').at(-1)
    const make = (): Node => this.graph.createNode('placeholder', name, [], undefined, name)
    this.track(value, last ? this.graph.insertingAfter(last, make) : make())
  }

  /** Begins a branch: its inputs are `tensors` and further outside tensors that it uses. */
  beginBranch(tensors: readonly FakeTensor[]): void {
    this.outside = []
    for (const t of tensors) this.outsideInput(t)
  }

  private outsideInput(t: FakeTensor): Node {
    if (!this.sizedBodies && [...t.meta.shape, ...(t.meta.stride ?? [])].some((d) => typeof d === 'string'))
      throw new TorchError(
        'NotImplementedError',
        'Fusescope cannot trace the body of torch.cond, a loop, map or scan with symbolic sizes',
      )
    this.input(`arg${this.outside!.push(t) - 1}_1`, t)
    return this.tensors.get(t)!
  }

  /** A node that reads a module of the traced graph. */
  module(name: string, body: Graph): Node {
    this.graph.subgraphs.set(name, body)
    const node = this.graph.createNode('get_attr', name)
    if (this.source) node.meta.source = this.source
    return node
  }

  /** A second tensor object for the same node. */
  alias(made: FakeTensor, of: FakeTensor): void {
    const node = this.tensors.get(of)
    if (node) this.tensors.set(made, node)
  }

  /** Records the values of a tensor created by torch.tensor; it becomes a get_attr when it is used. */
  constant(tensor: FakeTensor, values: ConstantValues): void {
    this.constants.set(tensor, { name: this.nextConstant(), values })
  }

  private nextConstant(): string {
    return `_tensor_constant${this.constants.size}`
  }

  at(source: SourceRef | undefined): void {
    this.source = source
  }

  /** Records a call under make_fx's name. Returns a callback that assigns the call's results to the node. */
  record(
    target: string,
    args: readonly DispatchArg[],
    kwargs: ReadonlyMap<string, DispatchArg>,
    name: string,
  ): (out: DispatchArg) => void {
    const given = [...args, ...kwargs.values()]
    this.own = sizedIn(given)
    const node = this.node(
      target,
      args.map((a) => this.arg(a)),
      new Map([...kwargs].map(([k, v]) => [k, this.arg(v)])),
      name,
    )
    const sized = this.own
    const passed = givenSizes(given, (a, fromEnd) => this.numberOf(a, fromEnd))
    this.own = []
    return (out) => {
      inheritSizes(out, passed, sized)
      if (isFake(out)) this.number(out, node, passed)
      this.track(out, node)
    }
  }

  /** While `run` decomposes a call, the sizes of its tensors keep their object identity. */
  decomposing<T>(args: Iterable<DispatchArg>, run: () => T): T {
    const sized = sizedIn(args)
    if (sized.length === 0) return run()
    const outer = this.near
    this.near = [...sized, ...outer]
    try {
      return run()
    } finally {
      this.near = outer
    }
  }

  /** A symbolic size without another source is a separate object. */
  private number(t: FakeTensor, node: Node, passed: readonly GivenSize[] = []): void {
    if (!t.meta.shape.some((d) => typeof d === 'string')) return
    t.sizes = t.meta.shape.map((d, i) => {
      const known = t.sizes?.[i]
      if (known !== undefined || typeof d !== 'string' || passed.some((p) => p.expr === d)) return known
      const result = this.nextId()
      this.results.set(result, () => this.symbolNode(d, 'aten.sym_size.int', [node, BigInt(i)]))
      return result
    })
  }

  private node(target: string, args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>, name?: string): Node {
    const node = this.graph.createNode('call_function', target, args, kwargs, name)
    if (this.source) node.meta.source = this.source
    return node
  }

  /** track_tensor_tree: creates the getitem nodes of a tuple result immediately. */
  private track(value: DispatchArg, node: Node): void {
    this.values.set(node, value)
    // A call without a result has no meta['val'].
    const val = value === null ? null : valOf(value)
    if (val) node.meta.val = val
    if (isFake(value)) {
      this.tensors.set(value, node)
      const { shape, stride, storageOffset } = value.meta
      const offer = (d: Dim, target: string, args: readonly Arg[]): void => {
        if (typeof d === 'string') this.symbols.offer(d, () => this.symbolNode(d, target, args))
      }
      for (const [i, d] of shape.entries()) {
        const numbered = value.sizes?.[i]
        if (numbered !== undefined && this.results.has(numbered))
          this.symbols.offer(String(d), () => this.resultNode(numbered)!)
        offer(d, 'aten.sym_size.int', [node, BigInt(i)])
      }
      // Only for plain symbols among strides: to PyTorch, an equal expression is a different size.
      const plain = (d: Dim): Dim => (typeof d === 'string' && /^\w+$/.test(d) ? d : 0)
      for (const [i, d] of (stride ?? []).entries()) offer(plain(d), 'aten.sym_stride.int', [node, BigInt(i)])
      offer(plain(storageOffset ?? 0), 'aten.sym_storage_offset.default', [node])
    } else if (isSym(value)) this.symbols.offer(value.expr, () => node)
    else
      for (const [i, item] of (itemsOf(value) ?? []).entries())
        this.track(item, this.node('operator.getitem', [node, BigInt(i)], new Map(), 'getitem'))
  }

  private symbolNode(d: Dim, target: string, args: readonly Arg[]): Node {
    const node = this.node(target, args, new Map())
    node.meta.val = { kind: 'scalar', value: dimArg(d) }
    return node
  }

  /** A symbolic result of arithmetic or of a tensor query: its node is removed at the end if it is unused. */
  symbolic(expr: string, target: string, args: readonly DispatchArg[], name?: string): SymExpr {
    const node = this.node(
      target,
      args.map((a) => this.arg(a)),
      new Map(),
      name,
    )
    node.meta.val = { kind: 'scalar', value: sym(expr) }
    this.symbols.computed(expr, node)
    const result = this.nextId()
    this.results.set(result, node)
    return { ...sym(expr), result }
  }

  /** The first read of a tensor's own size creates its node; null if the size belongs to another tensor, or was read before. */
  firstReading(t: FakeTensor, dim: number): DispatchArg {
    const at = wrapDim(dim, rankOf(t))
    const result = t.sizes?.[at]
    if (typeof this.results.get(result ?? 0) !== 'function') return null
    this.resultNode(result)
    return sizeArg(t, at)
  }

  /** The number of a size passed to a call. @param fromEnd its position from a list's end */
  private numberOf({ expr, result }: SymExpr, fromEnd?: number): number | undefined {
    return result ?? sizeAmong(fromEnd === undefined ? this.near : [...this.own, ...this.near], expr, fromEnd)
  }

  private resultNode(result: number | undefined): Node | undefined {
    const known = this.results.get(result ?? 0)
    if (typeof known !== 'function') return known
    const node = known()
    this.results.set(result!, node)
    return node
  }

  /** Converts an argument to its form in the graph. @param fromEnd its position in a list of sizes, from the end */
  arg(a: DispatchArg, fromEnd?: number): Arg {
    if (isFake(a)) return this.tensors.get(a) ?? this.attribute(a)
    if (isSym(a)) return this.symbols.node(a.expr, () => this.resultNode(this.numberOf(a, fromEnd)))
    if (isTuple(a)) return tuple(a.items.map((v) => this.arg(v)))
    if (isDict(a)) return dict(new Map([...a.entries].map(([k, v]) => [k, this.arg(v)])))
    const items = itemsOf(a)
    return items ? items.map((v, i) => this.arg(v, i - items.length)) : (a as Arg)
  }

  /** A tensor from outside the trace is an attribute of the module; each use reads it again. */
  private attribute(t: FakeTensor): Node {
    let constant = this.constants.get(t)
    if (!constant && this.outside) return this.outsideInput(t)
    if (!constant) {
      const values = t.meta.shape.every((size) => size === 1) ? this.outer.get(t) : undefined
      this.constants.set(t, (constant = { name: this.nextConstant(), values, outer: true }))
    }
    const node = this.graph.createNode('get_attr', constant.name)
    if (this.source) node.meta.source = this.source
    node.meta.val = t.meta
    if (constant.values !== undefined) node.meta.constant = constant.values
    if (constant.outer) node.meta.outerConstant = true
    this.values.set(node, t)
    return node
  }

  output(value: DispatchArg): void {
    this.source = undefined
    // torch.fx represents a named tuple as a call of its class.
    const named = isTuple(value) && value.named !== undefined ? value : null
    const items = named?.items.map((v) => this.arg(v)) ?? []
    this.graph.createNode('output', 'output', [
      named ? this.node(`python:${named.named}`, items, new Map()) : this.arg(value),
    ])
  }
}

/** `meta['val']` of a value. */
export function valOf(value: DispatchArg): Val | null {
  if (isFake(value)) return value.meta
  const items = itemsOf(value)
  if (items) return { kind: 'vals', items: items.map(valOf) }
  if (isSym(value)) return { kind: 'scalar', value: sym(value.expr) }
  if (value === null || typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean')
    return { kind: 'scalar', value }
  return null
}
