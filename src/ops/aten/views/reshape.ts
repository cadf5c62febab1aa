/** Views with a different shape over the same elements. */
import { type Arg, type Dim, memoryFormat } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, isFake, isSym, rankOf, toDim } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import { first, type Traits, type Rules } from '../../operator'
import { cppName, itemSize } from '../../promote'
import {
  contiguousStrides,
  isContiguous,
  listText,
  sizeRepr,
  tensorStrides,
  viewedStrides,
  viewStrides,
} from '../../strides'
import { floorDiv, mulDims, productOf, sameDim, sameDims } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import * as guess from '../../guess/relations'

/**
 * Fills in a size of -1.
 * @throws TorchError RuntimeError if the element count does not fit
 */
function inferSize(size: readonly Dim[], shape: readonly Dim[]): Dim[] {
  const total = productOf(shape)
  const at = size.indexOf(-1)
  if (at !== size.lastIndexOf(-1)) throw runtimeError('only one dimension can be inferred')
  const negative = size.find((d) => typeof d === 'number' && d < -1)
  if (negative !== undefined)
    throw runtimeError(
      `invalid shape dimension ${negative}. If this was symbolic, it was assumed to not be -1.If this was meant to be inferred, please explicitly pass in -1.`,
    )
  const invalid = (): TorchError => runtimeError(`shape '${listText(size)}' is invalid for input of size ${total}`)
  if (at < 0) {
    const count = productOf(size)
    if (typeof count === 'number' && typeof total === 'number' && count !== total) throw invalid()
    return [...size]
  }
  const known = productOf(size.filter((_, i) => i !== at))
  const rest = floorDiv(total, known)
  if (typeof rest === 'number' && !sameDim(mulDims(rest, known), total)) throw invalid()
  return size.map((d, i) => (i === at ? rest : d))
}

/** reshape: a view if the strides allow it, otherwise a view of a contiguous copy. */
export function reshape(c: OpCall, x: FakeTensor, size: readonly Dim[]): FakeTensor {
  const shape = inferSize(size, x.meta.shape)
  if (viewStrides(x.meta, shape)) return c.op('aten.view.default', x, dimArgs(isContiguous(x.meta) ? size : shape))
  const at = size.indexOf(-1)
  if (at >= 0 && typeof shape[at] === 'string') {
    const known = dimArg(productOf(size.filter((_, i) => i !== at)))
    c.call('operator.floordiv', [c.call('aten.sym_numel.default', [x]), known])
  }
  // Computing the number of elements reads every size before the copy.
  for (const size of x.meta.shape) c.isOne(size)
  const copy = c.call('aten.clone.default', [x], { memory_format: memoryFormat('contiguous_format') })
  return c.op('aten.view.default', copy, dimArgs(shape))
}

/** If sizes are symbolic, their hints decide whether a tensor is contiguous: PyTorch guards on it. */
function denseByHints(c: OpCall, { meta }: FakeTensor, shape: readonly Dim[]): Dim[] | null {
  const known = (d: Dim): Dim => (typeof d === 'number' ? d : (c.pieces(d, 1) ?? d))
  const [sizes, stride] = [meta.shape.map(known), meta.stride?.map(known)]
  const symbolic = [...meta.shape, ...(meta.stride ?? [])].some((d) => typeof d === 'string')
  if (!stride || !symbolic || [...sizes, ...stride].some((d) => typeof d === 'string')) return null
  return isContiguous({ ...meta, shape: sizes, stride }) ? contiguousStrides(shape) : null
}

const VIEWED = 'The result has the given size with as many elements; one size may be -1.'

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.view.default': {
    shape: VIEWED,
    guess: guess.viewed,
    noop: ([x, size], valueOf, { noopViews }) => {
      if (!noopViews) return undefined
      const t = valueOf(x)
      if (!isFake(t) || !Array.isArray(size)) return undefined
      const sizes = size.map((s: Arg) => valueOf(s)).map((d) => (isSym(d) ? d.expr : Number(d)))
      return sameDims(t.meta.shape, sizes) ? x : undefined
    },
    meta: (c, x) => {
      const shape = inferSize(c.dims('size')!, x.meta.shape)
      const exact = viewedStrides(x.meta, shape)
      const stride = (exact === undefined ? viewStrides(x.meta, shape) : exact) ?? denseByHints(c, x, shape)
      if (!stride)
        throw new TorchError(
          'ValueError',
          `Cannot view a tensor with shape ${sizeRepr(x.meta.shape)} and strides (${tensorStrides(x).join(', ')}) as a tensor ` +
            `with shape (${shape.join(', ')}${shape.length === 1 ? ',' : ''})!`,
        )
      return c.view(x, { shape, stride })
    },
  },
  'aten.view.dtype': {
    noop: first,
    decomp: (c) =>
      c.dtype() === c.tensor('self').meta.dtype ? c.op('aten.alias.default', c.tensor('self')) : undefined,
    meta: (c, x) => {
      const [from, to] = [itemSize(x.meta.dtype), itemSize(c.dtype()!)]
      if (from === to) return c.view(x, { dtype: c.dtype()! })
      const last = rankOf(x) - 1
      const size = x.meta.shape[last] ?? 1
      const ratio = to / from
      if (typeof size === 'number' && ratio > 1 && size % ratio !== 0)
        throw runtimeError(
          `self.size(-1) must be divisible by ${ratio} to view ${cppName(x.meta.dtype)} as ${cppName(c.dtype()!)} (different element sizes), but got ${size}`,
        )
      const resize = (d: Dim): Dim => (from > to ? mulDims(d, from / to) : floorDiv(d, to / from))
      return c.view(x, {
        dtype: c.dtype()!,
        shape: x.meta.shape.map((d, i) => (i === last ? resize(d) : d)),
        stride: tensorStrides(x).map((d, i) => (i === last ? d : resize(d))),
      })
    },
  },
  'aten._unsafe_view': {
    shape: VIEWED,
    guess: guess.viewed,
    decomp: (c) => c.op('aten.view.default', c.tensor('self'), c.get('size')),
  },
  'aten._reshape_alias': { decomp: (c) => c.op('aten.view.default', c.tensor('self'), c.get('size')) },
  'aten.view_as': {
    implicit: (c) => c.op('aten.view.default', c.tensor('self'), dimArgs(c.tensor('other').meta.shape)),
  },
  'aten.reshape': {
    shape: VIEWED,
    guess: guess.viewed,
    implicit: (c) => reshape(c, c.tensor('self'), c.dims('shape')!),
  },
  'aten.reshape_as': {
    implicit: (c) => reshape(c, c.tensor('self'), c.tensor('other').meta.shape),
  },
  'aten.flatten.using_ints': {
    implicit: (c, x) => {
      const rank = rankOf(x)
      const start = wrapDim(c.int('start_dim'), rank)
      const end = wrapDim(c.int('end_dim'), rank)
      if (start > end) throw runtimeError('flatten() has invalid args: start_dim cannot come after end_dim')
      if (rank === 0) return reshape(c, x, [1])
      if (start === end) return x
      const { shape } = x.meta
      // Multiplied one by one, like in C++, so that a recorded node has the factors in this order.
      const times = (count: DispatchArg, d: Dim): DispatchArg => c.call('operator.mul', [count, dimArg(d)])
      const count = toDim(shape.slice(start, end + 1).reduce<DispatchArg>(times, 1n))
      return reshape(c, x, [...shape.slice(0, start), count, ...shape.slice(end + 1)])
    },
  },
  'aten.ravel': {
    implicit: (c) => reshape(c, c.call('aten.contiguous.default', [c.tensor('self')]) as FakeTensor, [-1]),
  },
  'aten.unflatten.int': {
    implicit: (c, x) => {
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const given = c.dims('sizes')!
      const whole = x.meta.shape[dim]!
      const known = productOf(given.filter((d) => d !== -1))
      const fits = given.includes(-1) ? sameDim(mulDims(floorDiv(whole, known), known), whole) : sameDim(known, whole)
      if (typeof known === 'number' && typeof whole === 'number' && !fits)
        throw runtimeError(
          `unflatten: Provided sizes ${listText(given)} don't multiply up to the size of dim ${dim} (${whole}) in the input tensor`,
        )
      const sizes = inferSize(given, [whole])
      const { shape } = x.meta
      return c.op('aten.view.default', x, dimArgs([...shape.slice(0, dim), ...sizes, ...shape.slice(dim + 1)]))
    },
  },
})

export const TRAITS: Traits = {
  view: 'view _unsafe_view reshape flatten unflatten',
  passes: 'view reshape _unsafe_view _reshape_alias',
}
