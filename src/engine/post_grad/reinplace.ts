/**
 * reinplace_inplaceable_ops (torch/_inductor/fx_passes/reinplace.py) for functionalized operators and index_put:
 * an argument is written in place if no later node uses its old value. Chains of scatters over views
 * (canonicalize_view_scatter_ops) stay unchanged.
 */
import { Node, type Arg, type Graph, wrappedOperator, isGetitem, isSymSize, type TensorMeta } from '../../fx'
import { FUNCTIONALIZED, keep, mutatedOf, V2, V1 } from './functionalized'
import type { PostGradResult, PostGradContext } from './types'
import { isFake, type DispatchArg } from '../../ops/fake'
import { valuesOf } from '../../trace/propagate'
import { contiguousStrides, stridesOf } from '../../ops/strides'

const INDEX_PUT: ReadonlyMap<string, string> = new Map([['aten.index_put.default', 'aten.index_put_.default']])

export function reinplaceInplaceableOps(graph: Graph, context: PostGradContext): PostGradResult {
  return new Reinplacing(graph, context).run()
}

class Reinplacing {
  private readonly lifetimes: Lifetimes
  private readonly replaced = new Map<Node, Node>()
  private readonly notes: string[] = []
  private count = 0

  constructor(
    private readonly graph: Graph,
    private readonly context: PostGradContext,
  ) {
    this.lifetimes = new Lifetimes(graph, context)
  }

  run(): PostGradResult {
    for (const node of this.graph.nodes()) {
      if (node.op !== 'call_function') continue
      if (FUNCTIONALIZED.has(node.target)) this.functionalized(node)
      else if (INDEX_PUT.has(node.target)) this.indexPut(node)
    }
    for (const [node, by] of this.replaced) {
      let last = by
      while (this.replaced.has(last)) last = this.replaced.get(last)!
      node.replaceAllUsesWith(last)
      this.graph.eraseNode(node)
    }
    return { count: this.count, notes: this.notes }
  }

  private indexPut(node: Node): void {
    const into = node.args[0]
    if (!(into instanceof Node) || this.lifetimes.obstacle(node, into) !== null) return
    this.dropCopy(node, into)
    node.target = INDEX_PUT.get(node.target)!
    this.note(`${node.name} writes into ${into.name}`)
  }

  private functionalized(node: Node): void {
    const target = wrappedOperator(node)
    if (target === null) return
    const written = node.target === V2 ? this.bases(node) : this.arguments(node, target)
    /** Storages that are already written in place. */
    const taken = new Set<number | null>()
    const clones: (string | number)[] = []
    const why: string[] = []
    for (const [key, value] of written) {
      const tensors = value instanceof Node ? [value] : (value as readonly Arg[]).filter((v) => v instanceof Node)
      const name = value instanceof Node ? value.name : String(key)
      const storages = tensors.map((t) => this.lifetimes.storage(t))
      const obstacle = storages.some((s) => taken.has(s))
        ? 'another argument in the same storage is written in place'
        : this.obstacleOf(node, tensors, storages)
      if (obstacle === null) {
        for (const t of tensors) this.dropCopy(node, t)
        for (const s of storages) taken.add(s)
      } else {
        clones.push(key)
        why.push(`${name} is cloned: ${obstacle}`)
      }
    }
    keep(node, clones)
    this.note(`${node.name}: ${why.length === 0 ? 'all that it writes to is written in place' : why.join('; ')}`)
  }

  private obstacleOf(node: Node, tensors: readonly Node[], storages: readonly (number | null)[]): string | null {
    if (new Set(storages).size !== storages.length) return 'two of its tensors share storage'
    for (const t of tensors) {
      const obstacle = this.lifetimes.obstacle(node, t)
      if (obstacle !== null) return obstacle
    }
    return null
  }

  /** The written arguments of a v1 call, without those that are None. */
  private arguments(node: Node, target: string): [string, Arg][] {
    return mutatedOf(node, target, this.context.schemaOf).flatMap((name): [string, Arg][] => {
      const value = node.kwargs.get(name) ?? null
      return value === null ? [] : [[name, value]]
    })
  }

  private bases(node: Node): [number, Arg][] {
    const bases = (node.kwargs.get('_all_bases') ?? []) as readonly Arg[]
    return bases.map((b, i) => [i, b])
  }

  /** Removes the redundant copy of the result back into the argument. */
  private dropCopy(node: Node, argument: Node): void {
    const copy = this.lifetimes.copyBack(argument, node)
    if (copy) this.replaced.set(copy, argument)
  }

  private note(text: string): void {
    this.count++
    this.notes.push(text)
  }
}

const COPY = 'aten.copy_.default'

const isInput = (n: Node): boolean => n.op === 'placeholder' || n.op === 'get_attr'

/** Finds the uses of a value after a node, which decide whether the node may write to the value. */
class Lifetimes {
  private readonly values: ReadonlyMap<Node, DispatchArg>
  private readonly inStorage = new Map<number, Node[]>()
  private readonly order = new Map<Node, number>()
  /** The first copy_ into each graph input. */
  private readonly copies = new Map<Node, Node>()
  /** The copy_ for each copied value, through the getitem of a v1 call. */
  private readonly copyOf = new Map<Node, Map<Node, Node>>()

  constructor(
    graph: Graph,
    private readonly context: PostGradContext,
  ) {
    this.values = valuesOf(graph, context.tracer)
    const nodes = [...graph.nodes()]
    for (const [i, n] of nodes.entries()) this.order.set(n, i)
    for (const n of nodes.reverse()) {
      const storage = this.storage(n)
      if (storage !== null) this.inStorage.set(storage, [...(this.inStorage.get(storage) ?? []), n])
      if (n.target === COPY) this.copied(n)
    }
  }

  private copied(copy: Node): void {
    const [into, from] = copy.args
    if (!(into instanceof Node) || !isInput(into) || !(from instanceof Node)) return
    const packed = isGetitem(from) ? from.args[0] : null
    const source = packed instanceof Node && packed.target === V1 ? packed : from
    const byInput = this.copyOf.get(source) ?? new Map<Node, Node>()
    this.copyOf.set(source, byInput.set(into, copy))
    this.copies.set(into, copy)
  }

  storage(node: Node): number | null {
    const value = this.values.get(node)
    return isFake(value) ? value.storage : null
  }

  /** The copy_ that writes `node`'s result back to `argument`. */
  copyBack(argument: Node, node: Node): Node | null {
    return this.copyOf.get(node)?.get(argument) ?? null
  }

  /** The reason why `node` must not write to `argument` in place; null if it may. */
  obstacle(node: Node, argument: Node): string | null {
    const value = this.values.get(argument)
    if (!isFake(value)) return `shape and storage of ${argument.name} are unknown`
    if (overlapsItself(value.meta)) return `${argument.name} is expanded: it holds one element in several places`
    const sharing = (this.inStorage.get(value.storage) ?? []).filter((n) => {
      const other = this.values.get(n)
      return n === argument || (isFake(other) && mayOverlap(value.meta, other.meta))
    })
    const copy = isInput(argument) ? (this.copies.get(argument) ?? null) : null
    if (isInput(argument) && copy === null)
      return `${argument.name} is an input of the graph, and nothing is copied back into it`
    const input = isInput(argument) ? undefined : sharing.find(isInput)
    if (input) return `${argument.name} is a view of the input ${input.name}`
    const user = this.laterUser(node, sharing, copy, argument)
    return user && `${user.name} uses ${user.of} afterwards`
  }

  private laterUser(
    node: Node,
    sharing: readonly Node[],
    copy: Node | null,
    argument: Node,
  ): { name: string; of: string } | null {
    const [at, end] = [this.order.get(node)!, copy ? this.order.get(copy)! : Infinity]
    for (const view of sharing)
      for (const user of view.users) {
        const place = this.order.get(user)!
        if (place <= at || place >= end || this.looksAtMetaOnly(user)) continue
        if (user.target === COPY && user.args[0] === argument) continue
        return { name: user.op === 'output' ? 'the graph’s output' : user.name, of: view.name }
      }
    return null
  }

  private looksAtMetaOnly(user: Node): boolean {
    // A write changes no metadata.
    if (isSymSize(user)) return true
    if (user.op !== 'call_function' || user.users.size === 0 || !this.isView(user)) return false
    return [...user.users].every((u) => this.looksAtMetaOnly(u))
  }

  private isView(node: Node): boolean {
    const schema = this.context.schemaOf(node.target)
    return schema !== null && !schema.mutable && schema.args.some((a) => a.aliased)
  }
}

/** Whether two tensors of one storage may share an element (compute_overlapping_tensors, for two); true for symbolic sizes. */
function mayOverlap(a: TensorMeta, b: TensorMeta): boolean {
  const [x, y] = [placed(a), placed(b)]
  if (!x || !y) return true
  if (x.shape.includes(0) || y.shape.includes(0)) return false
  return x.offset <= y.offset ? overlapAfter(x, y) : overlapAfter(y, x)
}

/** As torch._debug_has_internal_overlap: an expanded tensor has one element at several indices. */
const overlapsItself = (t: TensorMeta): boolean =>
  stridesOf(t).some((s, i) => s === 0 && t.shape[i] !== 1 && t.shape[i] !== 0)

interface Placed {
  shape: readonly number[]
  stride: readonly number[]
  offset: number
}

function placed(t: TensorMeta): Placed | null {
  const [stride, offset] = [stridesOf(t), t.storageOffset ?? 0]
  const known = (d: number | string): d is number => typeof d === 'number'
  return t.shape.every(known) && stride.every(known) && known(offset) ? { shape: t.shape, stride, offset } : null
}

/** @param x starts at or before y */
function overlapAfter(x: Placed, y: Placed): boolean {
  const last = x.shape.reduce((sum, d, i) => sum + (d - 1) * x.stride[i]!, x.offset)
  if (last < y.offset) return false
  if (isContiguous(x) && isContiguous(y)) return true
  return !areColumns(x, y)
}

const isContiguous = ({ shape, stride }: Placed): boolean =>
  contiguousStrides(shape).every((s, i) => s === stride[i] || shape[i] === 1)

/** Two blocks of columns in one matrix, side by side. */
function areColumns(x: Placed, y: Placed): boolean {
  const [row, width] = [x.stride[0]!, x.shape[1]!]
  const matrices = x.shape.length === 2 && y.shape.length === 2 && x.stride[1] === 1 && y.stride[1] === 1
  if (!matrices || y.stride[0] !== row) return false
  const apart = (y.offset - x.offset) % row
  return y.offset - x.offset >= width && apart >= width && apart + y.shape[1]! <= row
}
