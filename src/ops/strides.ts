/** Shapes and strides: broadcasting, contiguity, and the layout of an elementwise result (torch._prims_common). */
import type { Dim, TensorMeta } from '../fx'
import type { FakeTensor } from './fake'
import { floorDiv, isOne, isZero, maxDims, modDims, mulDims, sameDim, sameDims } from './sym'
import { TorchError } from './torch_error'

/**
 * Strides of a contiguous tensor, in elements. Each step is multiplied by max(size, 1): a dimension of size 0 counts
 * as 1, and one of size 1 has the stride of its neighbor (torch._prims_common.make_contiguous_strides_for).
 */
export function contiguousStrides(shape: readonly number[]): number[]
export function contiguousStrides(shape: readonly Dim[]): Dim[]
export function contiguousStrides(shape: readonly Dim[]): Dim[] {
  const strides: Dim[] = new Array<Dim>(shape.length)
  let step: Dim = 1
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = step
    step = mulDims(step, mayBeZero(shape[i]!) ? maxDims(1, shape[i]!) : shape[i]!)
  }
  return strides
}

/** Symbolic sizes are at least 2, and so are their sums and products; differences and quotients are unknown. */
const mayBeZero = (d: Dim): boolean => (typeof d === 'number' ? d < 1 : /\/\/|-|^M/.test(d))

export const stridesOf = (t: TensorMeta): readonly Dim[] => t.stride ?? contiguousStrides(t.shape)
export const tensorStrides = (t: FakeTensor): readonly Dim[] => stridesOf(t.meta)

export function isContiguous(t: TensorMeta): boolean {
  if (t.shape.some(isZero)) return true
  const strides = stridesOf(t)
  let expected: Dim = 1
  for (let i = t.shape.length - 1; i >= 0; i--) {
    if (isOne(t.shape[i]!)) continue
    if (!sameDim(strides[i]!, expected)) return false
    expected = mulDims(expected, t.shape[i]!)
  }
  return true
}

/**
 * Four dimensions in channels_last order: with one channel, or with spatial sizes 1 by 1, a tensor can be both this and contiguous.
 */
function isChannelsLast(t: TensorMeta): boolean {
  if (t.shape.length !== 4) return false
  const order = [0, 2, 3, 1]
  const strides = stridesOf(t)
  return isContiguous({ ...t, shape: order.map((d) => t.shape[d]!), stride: order.map((d) => strides[d]!) })
}

/** No gaps and no overlap, in some order of the dimensions. */
export function isDense(t: TensorMeta): boolean {
  if (isContiguous(t)) return true
  const strides = stridesOf(t)
  const order = t.shape.map((_, i) => i).filter((i) => !isOne(t.shape[i]!))
  order.sort((a, b) => (atLeast(strides[a]!, strides[b]!) ? (sameDim(strides[a]!, strides[b]!) ? 0 : 1) : -1))
  let expected: Dim = 1
  for (const i of order) {
    if (!sameDim(strides[i]!, expected)) return false
    expected = mulDims(expected, t.shape[i]!)
  }
  return true
}

/** guard_or_false(a >= b), for non-negative sizes and strides and symbols of at least 2. */
function atLeast(a: Dim, b: Dim): boolean {
  if (isZero(b)) return true
  if (isZero(a)) return false
  if (typeof a === 'number' && typeof b === 'number') return a >= b
  if (isOne(b)) return true
  return modDims(a, b) === 0
}

/** Strides of a new tensor in the order of `like`, the last one 1 (torch._higher_order_ops.flex_attention._permute_strides). */
export function stridesInOrder(shape: readonly Dim[], like: readonly Dim[]): Dim[] {
  const last = shape.length - 1
  const order = [...like.keys()].sort((a, b) => {
    if (sameDim(like[a]!, like[b]!)) return b - a
    return atLeast(like[a]!, like[b]!) ? 1 : -1
  })
  if (order[0] !== last) order.unshift(...order.splice(order.indexOf(last), 1))
  const strides: Dim[] = []
  let step: Dim = 1
  for (const dim of order) {
    strides[dim] = step
    step = mulDims(step, shape[dim]!)
  }
  return strides
}

/**
 * The common broadcast shape.
 * @throws TorchError RuntimeError like the operator
 */
export function broadcastShapes(shapes: readonly (readonly Dim[])[], repr = sizeRepr): Dim[] {
  const rank = Math.max(0, ...shapes.map((s) => s.length))
  const out: Dim[] = new Array<Dim>(rank).fill(1)
  for (const [index, shape] of shapes.entries())
    for (let i = -1; i >= -shape.length; i--) {
      const size = shape[shape.length + i]!
      const common = out[rank + i]!
      if (isOne(size) || sameDim(size, common)) continue
      // For two different symbols PyTorch would add a guard that they are equal.
      if (isOne(common) || (typeof common === 'string' && typeof size === 'number')) out[rank + i] = size
      else if (typeof size === 'number' && typeof common === 'number')
        throw new TorchError(
          'RuntimeError',
          `Attempting to broadcast a dimension of length ${size} at ${i}! Mismatching argument at index ${index} had ` +
            `${repr(shape)}; but expected shape should be broadcastable to ${listText(out)}`,
        )
    }
  return out
}

export const listText = (dims: readonly Dim[]): string => `[${dims.join(', ')}]`
export const sizeRepr = (dims: readonly Dim[]): string => `torch.Size(${listText(dims)})`

/** Strides of `t` expanded to `shape`. */
function expandedStrides(t: TensorMeta, shape: readonly Dim[]): Dim[] {
  const strides = stridesOf(t)
  const lead = shape.length - t.shape.length
  return shape.map((size, i) => {
    if (i < lead) return isOne(size) && t.shape.length > 0 ? mulDims(t.shape[0]!, strides[0]!) : 0
    return isOne(t.shape[i - lead]!) && !isOne(size) ? 0 : strides[i - lead]!
  })
}

/** Strides of the result of an elementwise operator on these inputs, which broadcast to `shape`. */
export function elementwiseStrides(inputs: readonly TensorMeta[], shape: readonly Dim[]): Dim[] {
  if (shape.length === 0) return []
  if (shape.length === 1) return [1]
  const sameShapes = inputs.every((t) => sameDims(t.shape, shape))
  const channelsLast = inputs.every(isChannelsLast)
  if (sameShapes && !channelsLast && inputs.every(isContiguous)) return contiguousStrides(shape)
  const tensors = inputs
    .filter((t) => t.shape.length > 0)
    .map((t): TensorMeta => ({ ...t, shape, stride: expandedStrides(t, shape) }))
  if (tensors.length === 0) return contiguousStrides(shape)
  if (inputs.length === 1 && !channelsLast && isDense(tensors[0]!)) return [...stridesOf(tensors[0]!)]
  // An operand without dimensions is not expanded, so the shapes differ, which rules out TensorIterator's fast paths.
  const perm = tensors.length === inputs.length ? physicalOrder(tensors) : sortedByStrides(tensors)
  const physical = contiguousStrides(perm.map((p) => shape[p]!))
  const out: Dim[] = new Array<Dim>(shape.length)
  for (const [at, p] of perm.entries()) out[p] = physical[at]!
  return out
}

/** compute_elementwise_output_logical_to_physical_perm: dimensions from the outermost in memory to the innermost. */
export function physicalOrder(tensors: readonly TensorMeta[]): number[] {
  const shape = tensors[0]!.shape
  const rank = shape.length
  const channelsLast = tensors.every(isChannelsLast)
  const contiguous = tensors.every(isContiguous)
  if (rank < 2 || (contiguous && !channelsLast)) return shape.map((_, i) => i)
  return channelsLast && !contiguous ? [0, 2, 3, 1] : sortedByStrides(tensors)
}

/** TensorIterator's reorder_dimensions: a stable sort of the dimensions by strides, with undecided comparisons. */
function sortedByStrides(tensors: readonly TensorMeta[]): number[] {
  const shape = tensors[0]!.shape
  const rank = shape.length
  const compare = (a: number, b: number): number => {
    for (const t of tensors) {
      const strides = stridesOf(t)
      const x = strides[a]!
      const y = strides[b]!
      if (isZero(x) || isZero(y)) continue
      if (sameDim(x, y)) {
        if (atLeast(shape[b]!, shape[a]!)) continue
        return 1
      }
      if (atLeast(y, x)) return -1
      if (atLeast(x, y)) return 1
    }
    return 0
  }
  const perm = shape.map((_, i) => rank - 1 - i)
  for (let i = 1; i < rank; i++) {
    let at = i
    for (let j = i - 1; j >= 0; j--) {
      const order = compare(perm[j]!, perm[at]!)
      if (order > 0) {
        ;[perm[j], perm[at]] = [perm[at]!, perm[j]!]
        at = j
      } else if (order < 0) break
    }
  }
  return perm.reverse()
}

/** Strides that `memory_format=preserve_format` gives a copy. */
export function preservedStrides(t: TensorMeta): Dim[] {
  return isDense(t) ? [...stridesOf(t)] : elementwiseStrides([t], t.shape)
}

/** Strides of a view of `t` with `shape`; null if only a copy can have that shape (at::detail::computeStride). */
export function viewStrides(t: TensorMeta, shape: readonly Dim[]): Dim[] | null {
  if (shape.some(isZero) || t.shape.some(isZero))
    return sameDims(t.shape, shape) ? [...stridesOf(t)] : contiguousStrides(shape)
  if (t.shape.length === shape.length && sameDims(t.shape, shape)) return [...stridesOf(t)]
  if (isContiguous(t)) return contiguousStrides(shape)
  const strides = stridesOf(t)
  if (t.shape.length === 0) return shape.map(() => 1)
  const out: Dim[] = new Array<Dim>(shape.length)
  let at = shape.length - 1
  let base: Dim = strides[strides.length - 1]!
  let have: Dim = 1
  let want: Dim = 1
  for (let i = t.shape.length - 1; i >= 0; i--) {
    have = mulDims(have, t.shape[i]!)
    const chunkEnds = i === 0 || (!isOne(t.shape[i - 1]!) && !sameDim(strides[i - 1]!, mulDims(have, base)))
    if (!chunkEnds) continue
    while (at >= 0 && (!sameDim(want, have) ? smaller(want, have) : isOne(shape[at]!))) {
      out[at] = mulDims(want, base)
      want = mulDims(want, shape[at]!)
      at--
    }
    if (!sameDim(want, have)) return null
    if (i > 0) {
      base = strides[i - 1]!
      have = want = 1
    }
  }
  return at === -1 ? out : null
}

/**
 * Strides of the view that aten.view's meta creates (torch._refs._reshape_view_helper): dimensions are built from the
 * left, flattened if necessary and split. Differs from viewStrides in the strides of dimensions of size 1. Undefined if
 * symbols make it undecidable; null if there is no such view.
 */
export function viewedStrides(t: TensorMeta, shape: readonly Dim[]): Dim[] | null | undefined {
  if (t.shape.some(isZero)) return contiguousStrides(shape)
  if (t.shape.length === 0) return shape.map(() => 1)
  if (shape.length === 0) return []
  if (isContiguous(t)) {
    if (shape.length === 1 && t.shape.length > 1) return [1]
    if (shape.length === 2 && t.shape.length === 1) return [shape[1]!, 1]
  }
  const sizes = [...t.shape]
  const strides = [...stridesOf(t)]
  const splitAt = (at: number, outer: Dim, inner: Dim): void => {
    sizes.splice(at, 1, outer, inner)
    strides.splice(at, 1, mulDims(strides[at]!, inner), strides[at]!)
  }
  for (const [at, length] of shape.entries()) {
    if (at >= sizes.length) {
      splitAt(sizes.length - 1, sizes.at(-1)!, 1)
      continue
    }
    if (sameDim(length, sizes[at]!)) continue
    let count = sizes[at]!
    let end = at
    while (modDims(count, length) !== 0) {
      if (typeof modDims(count, length) === 'string' && end + 1 >= sizes.length) return undefined
      end++
      if (end >= sizes.length) return undefined
      count = mulDims(count, sizes[end]!)
    }
    if (end !== at) {
      const step = collapsed(sizes, strides, at, end)
      if (step === null) return null
      sizes.splice(at, end - at + 1, count)
      strides.splice(at, end - at + 1, step)
    }
    if (!sameDim(count, length)) splitAt(at, length, floorDiv(count, length))
  }
  return strides.slice(0, shape.length)
}

/**
 * The stride of the merged dimensions `start` to `end` (prims._collapse_view_helper); null if they cannot be merged.
 */
function collapsed(sizes: readonly Dim[], strides: readonly Dim[], start: number, end: number): Dim | null {
  let step = strides[end]!
  for (let i = end - 1; i >= start; i--) {
    const joined = mulDims(strides[i + 1]!, sizes[i + 1]!)
    if (!isOne(sizes[i]!) && !isOne(sizes[i + 1]!) && !sameDim(strides[i]!, joined)) return null
    if (!isOne(sizes[i]!) && (isZero(strides[i]!) || !atLeast(strides[i]!, step))) step = strides[i]!
  }
  return step
}

const smaller = (a: Dim, b: Dim): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a < b : modDims(b, a) === 0
