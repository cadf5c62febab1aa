/** Finds the uses of a value after a node, which decide whether the node may write to the value. */
import { Node, type Graph, isGetitem, isSymSize, type TensorMeta } from '../../fx'
import { isFake, type DispatchArg } from '../../ops/fake'
import { valuesOf } from '../../trace/propagate'
import { V1 } from './functionalized'
import type { PostGradContext } from './types'
import { contiguousStrides, stridesOf } from '../../ops/strides'

const COPY = 'aten.copy_.default'

const isInput = (n: Node): boolean => n.op === 'placeholder' || n.op === 'get_attr'

export class Lifetimes {
  private readonly values: ReadonlyMap<Node, DispatchArg>
  private readonly inStorage = new Map<number, Node[]>()
  private readonly order = new Map<Node, number>()
  /** The first copy_ into each graph input. */
  private readonly copies = new Map<Node, Node>()
  /** copy_ by copied value, through the getitem of a v1 call. */
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

/** Two blocks of columns of one matrix, side by side. */
function areColumns(x: Placed, y: Placed): boolean {
  const [row, width] = [x.stride[0]!, x.shape[1]!]
  const matrices = x.shape.length === 2 && y.shape.length === 2 && x.stride[1] === 1 && y.stride[1] === 1
  if (!matrices || y.stride[0] !== row) return false
  const apart = (y.offset - x.offset) % row
  return y.offset - x.offset >= width && apart >= width && apart + y.shape[1]! <= row
}
