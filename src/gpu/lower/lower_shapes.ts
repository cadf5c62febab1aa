/** Lowers reshapes, concatenation and indexing: to views if the strides allow it, otherwise to copies. */
import { indexOne } from '../../ops/aten/indexing/gather'
import { indexPutOne } from '../../ops/aten/indexing/index_tensor'
import { DTYPES, dtypeInfo } from '../../ops/dtype'
import { numel, type AttrValue, type TensorView } from '../../ops/kernel'
import { contiguousStrides } from '../../ops/strides'
import { callKernel, callTarget } from './lower_call'
import {
  CannotRun,
  denseLike,
  isFresh,
  isItems,
  isTensor,
  plain,
  viewOf,
  type Located,
  type Value,
} from './lower_values'
import type { Lowers } from './lowers'
import type { RunNode } from '../types'
import { expand, reshaped, sizesOf, viewOperator } from '../../ops/aten/views/strided_views'

/** The result of a view operator; null for any other. */
export function viewed(on: Lowers, node: RunNode, args: Value[], kwargs: Record<string, Value>): Value | null {
  const operator = viewOperator(node.target)
  const t = args[0] ?? kwargs['self'] ?? kwargs['input']
  if (!operator || t === undefined || t === null || !(isTensor(t) || isFresh(t))) return null
  const arg = (name: string, position: number): AttrValue | undefined => {
    const v = args[position] ?? kwargs[name]
    return v === undefined ? undefined : plain(v)
  }
  const made = on.refuse(node, node.target, () =>
    operator(isTensor(t) ? t.view : t.fresh, (name, position) => {
      const v = arg(name, position)
      return name === 'size' && Array.isArray(v) ? on.withTokens(v as number[]) : v
    }),
  )
  const at = (view: TensorView): Value => (isTensor(t) ? { slot: t.slot, view } : { fresh: view, root: t.root ?? t })
  return Array.isArray(made) ? { items: made.map(at) } : at(made as TensorView)
}

export function reshape(on: Lowers, node: RunNode, args: Value[]): Value {
  const t = args[0]
  if (t === undefined || !(isTensor(t) || isFresh(t))) throw new CannotRun(`${node.name} does not reshape a tensor`)
  const view = isTensor(t) ? t.view : t.fresh
  const asked = args[1] === undefined ? null : plain(args[1])
  const wanted =
    node.target === 'aten.flatten.using_ints'
      ? flattened(view.shape, Number(args[1] ?? 0), Number(args[2] ?? -1))
      : Array.isArray(asked)
        ? asked.map(Number)
        : [Number(asked)]
  const fits = wanted.includes(-1) || numel(wanted) === numel(view.shape)
  const sizes = on.refuse(node, node.target, () => sizesOf(view, fits ? wanted : on.withTokens(wanted)))
  const made = reshaped(view, sizes)
  if (made) return isTensor(t) ? { slot: t.slot, view: made } : { fresh: made, root: t.root ?? t }
  if (node.target === 'aten.view.default')
    throw new CannotRun(`${node.target} of a tensor whose strides do not allow it (${node.name})`)
  const copy = on.copied(node, on.read(t, node.name))
  return { slot: copy.slot, view: { ...copy.view, shape: sizes, stride: contiguousStrides(sizes) } }
}

/** `copy`, `fill` and `zero`: a tensor of the first argument's type with other contents. Null for any other operator. */
export function overwritten(on: Lowers, node: RunNode, args: Value[]): Value | null {
  const name = /^aten\.(copy\.default|fill\.(?:Scalar|Tensor)|zero\.default)$/.exec(node.target)?.[1]
  const [self, source] = args
  if (name === undefined || self === undefined || !(isTensor(self) || isFresh(self))) return null
  const old = isTensor(self) ? self.view : self.fresh
  const view = { ...old, stride: denseLike(old.stride, old.shape), offset: 0 }
  const value = name === 'zero.default' ? 0 : source
  if (typeof value === 'number' || typeof value === 'boolean')
    return { slot: on.slot(view, { fill: Number(value), dtype: view.dtype }), view }
  if (value === undefined || value === null || !(isTensor(value) || isFresh(value))) return null
  const from = on.read(value, node.name)
  const spread = on.refuse(node, node.target, () => expand(from.view, view.shape))
  return on.copied(node, { ...from, view: spread }, { slot: on.slot(view, null), view })
}

/** Reinterprets the bytes as another dtype of equal size. */
export function reinterpret(on: Lowers, node: RunNode, args: Value[]): Value {
  const [t, wanted] = args
  const named = typeof wanted === 'object' && wanted !== null && 'dtype' in wanted ? dtypeInfo(wanted.dtype) : null
  if (t === undefined || !(isTensor(t) || isFresh(t)) || !named)
    throw new CannotRun(`${node.name} does not name a supported dtype`)
  const view = isTensor(t) ? t.view : t.fresh
  if (DTYPES[view.dtype].bytes !== named.bytes)
    throw new CannotRun(`${node.name} shows ${view.dtype} as ${named.name}, of another size`)
  const shown = { ...view, dtype: named.name }
  return isTensor(t) ? { slot: t.slot, view: shown } : { fresh: shown, root: t.root ?? t }
}

/** Allocates one storage and copies each tensor into its part. */
export function cat(on: Lowers, node: RunNode, args: Value[], kwargs: Record<string, Value>): Value {
  const list = args[0] ?? kwargs['tensors'] ?? null
  const items = isItems(list) ? list.items.map((v) => tensorOf(on, v, node)) : []
  const first = items[0]
  if (!first) throw new CannotRun(`${node.name} joins no tensors`)
  const stacked = node.target.startsWith('aten.stack')
  const rank = first.view.shape.length + (stacked ? 1 : 0)
  const asked = Number(args[1] ?? kwargs['dim'] ?? 0)
  const d = asked < 0 ? asked + rank : asked
  const shown = items
    .filter((t) => stacked || t.view.shape.length > 1 || t.view.shape[0] !== 0)
    .map(({ slot, view }) => ({
      slot,
      view: stacked ? { ...view, shape: view.shape.toSpliced(d, 0, 1), stride: view.stride.toSpliced(d, 0, 0) } : view,
    }))
  const odd = shown.find(
    (t) => t.view.shape.length !== rank || t.view.shape.some((n, i) => i !== d && n !== shown[0]!.view.shape[i]),
  )
  if (odd) throw new CannotRun(`${node.name} joins tensors whose other sizes differ`)
  const total = shown.reduce((sum, t) => sum + t.view.shape[d]!, 0)
  const shape = shown[0]!.view.shape.map((n, i) => (i === d ? total : n))
  const meta = node.meta ? viewOf(node.name, node.meta, on.symbols) : null
  const view: TensorView = {
    dtype: meta?.dtype ?? first.view.dtype,
    shape,
    stride: contiguousStrides(shape),
    offset: 0,
  }
  const slot = on.slot(view, null)
  let from = 0
  for (const t of shown) {
    const part = { ...view, shape: t.view.shape, offset: from * view.stride[d]! }
    if (numel(part.shape) > 0) on.copied(node, t, { slot, view: part })
    from += t.view.shape[d]!
  }
  return { slot, view }
}

/** Limit up to which kernels' integer arithmetic is exact: it goes through float32. */
const EXACT = 2 ** 24

/**
 * `x[:, i]`, and `x[:, i, j]` with adjacent index tensors: their dimensions are read as one, at i * size(j) + j.
 * Negative indices are normalized first.
 */
export function index(on: Lowers, node: RunNode, args: Value[]): Value {
  const list = args[1] ?? null
  const items = isItems(list) ? list.items : []
  const dim = items.findIndex((v) => v !== null)
  const last = items.findLastIndex((v) => v !== null)
  if (dim < 0) throw new CannotRun(`${node.name} has no index tensor`)
  if (dim === last) return callKernel(on, { node, target: node.target, kernel: indexOne }, [args[0]!, dim, items[dim]!])
  const used = items.slice(dim, last + 1)
  if (used.includes(null)) throw new CannotRun(`the index tensors of ${node.name} are not side by side`)
  const indices = used.map((v) => tensorOf(on, v, node))
  if (indices.some((t) => t.view.dtype === 'bool'))
    throw new CannotRun(`${node.name} takes a mask beside another index tensor`)
  const self = tensorOf(on, args[0]!, node)
  const sizes = self.view.shape.slice(dim, last + 1)
  if (numel(sizes) > EXACT)
    throw new CannotRun(`${node.name} indexes ${numel(sizes)} places at once, at most ${EXACT} are handled`)
  // The dump's metadata of the node describes its result, not intermediate indices.
  const part: RunNode = { ...node, meta: null }
  const step = (target: string, a: Value, b: Value): Value => callTarget(on, part, target, { args: [a, b] })
  const at = indices
    .map((t, d) => step('aten.add.Tensor', t, step('aten.mul.Tensor', step('aten.lt.Scalar', t, 0), sizes[d]!)))
    .reduce((sum, t, d) => step('aten.add.Tensor', step('aten.mul.Tensor', sum, sizes[d]!), t))
  const shape = self.view.shape.toSpliced(dim, sizes.length, numel(sizes))
  const merged = reshaped(self.view, shape)
  const dense = merged ? self : on.copied(node, self)
  const view = merged ?? { ...dense.view, shape, stride: contiguousStrides(shape) }
  return callKernel(on, { node, target: node.target, kernel: indexOne }, [{ slot: dense.slot, view }, dim, at])
}

/** `x[:, i] = v` with a separate result tensor. */
export function indexPut(on: Lowers, node: RunNode, args: Value[]): Value {
  const [self, indices, values, accumulate = false] = args
  const items = indices !== undefined && isItems(indices) ? indices.items : []
  const used = items.filter((v) => v !== null)
  if (used.length !== 1) throw new CannotRun(`${node.name} writes at ${used.length} index tensors, one is handled`)
  const op = { node, target: node.target, kernel: indexPutOne }
  return callKernel(on, op, [self!, items.indexOf(used[0]!), used[0]!, values!, accumulate])
}

function tensorOf(on: Lowers, v: Value, node: RunNode): Located {
  if (isTensor(v) || isFresh(v)) return on.read(v, node.name)
  throw new CannotRun(`an argument of ${node.name} is not a tensor`)
}

function flattened(shape: readonly number[], from: number, to: number): number[] {
  const at = (d: number): number => (d < 0 ? d + shape.length : d)
  return [...shape.slice(0, at(from)), numel(shape.slice(at(from), at(to) + 1)), ...shape.slice(at(to) + 1)]
}
