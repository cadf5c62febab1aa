/** Slices along one dimension. */
import { type Arg, type Dim, memoryFormat } from '../../../fx'
import { dimArg, type DispatchArg, type FakeTensor, isFake, rankOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, Rules } from '../../operator'
import { listText, tensorStrides } from '../../strides'
import { addDims, floorDiv, mulDims, subDims } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import * as guess from '../../guess/relations'

export const offset = (x: FakeTensor, dim: number, by: Dim): Dim =>
  addDims(x.meta.storageOffset ?? 0, mulDims(tensorStrides(x)[dim]!, by))

/** `x[start:end:step]` along one dimension, clamped as Python does. */
interface SliceRange {
  readonly start: Dim | null
  readonly end: Dim | null
  readonly step: Dim
}

function sliced(c: OpCall, x: FakeTensor, dim: number, { start, end, step }: SliceRange): FakeTensor {
  const size = x.meta.shape[dim]!
  const clamp = (v: Dim): Dim => {
    if (typeof v === 'number' && typeof size === 'number') return Math.min(Math.max(v < 0 ? v + size : v, 0), size)
    if (typeof v === 'number' && v < 0) return addDims(size, v)
    // A number past a symbolic size can only mean "to the end".
    return typeof v === 'number' && v > 2 ** 53 ? size : v
  }
  const from = clamp(start ?? 0)
  let to = clamp(end ?? size)
  if (typeof from === 'number' && typeof to === 'number' && to < from) to = from
  const count = subDims(to, from)
  const shape = x.meta.shape.map((d, i) =>
    i === dim ? (step === 1 ? count : floorDiv(addDims(count, subDims(step, 1)), step)) : d,
  )
  const stride = tensorStrides(x).map((d, i) => (i === dim ? mulDims(d, step) : d))
  return c.view(x, { shape, stride, storageOffset: offset(x, dim, from) })
}

/** True for a step of 1 from 0 to the end of the dimension. @param bySize true if the dimension's size also counts as its end */
export function takesAll(
  x: DispatchArg,
  [dim = 0n, start = null, end = null, step = 1n]: readonly Arg[],
  bySize: boolean,
): boolean {
  if ((start !== null && start !== 0n) || step !== 1n || !isFake(x)) return false
  const size = x.meta.shape.at(Number(dim))
  return (
    end === null || (typeof end === 'bigint' && (end >= MAX || (bySize && typeof size === 'number' && end >= size)))
  )
}

const MAX = 9223372036854775807n

export const rules = (): Rules => ({
  'aten.select.int': {
    shape: 'Dimension dim is removed.',
    guess: guess.dtypeOfFirst,
    meta: (c, x) => {
      if (rankOf(x) === 0) throw new TorchError('IndexError', 'select() cannot be applied to a 0-dim tensor.')
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const size = x.meta.shape[dim]!
      const index = c.dim('index')
      if (typeof size === 'number' && typeof index === 'number' && (index >= size || index < -size))
        throw new TorchError(
          'IndexError',
          `select(): index ${index} out of range for tensor of size ${listText(x.meta.shape)} at dimension ${dim}`,
        )
      return c.view(x, {
        shape: x.meta.shape.filter((_, i) => i !== dim),
        stride: tensorStrides(x).filter((_, i) => i !== dim),
        storageOffset: offset(x, dim, typeof index === 'number' && index < 0 ? addDims(size, index) : index),
      })
    },
  },
  'aten.slice.Tensor': {
    shape: 'Dimension dim has the size ceil((end - start) / step); the others keep theirs.',
    guess: guess.dtypeOfFirst,
    // PyTorch's rule has no case for None.
    noop: ([x, ...range], valueOf, { wholeSlices }) =>
      range[1] === 0n && typeof range[2] === 'bigint' && takesAll(valueOf(x), range, wholeSlices) ? x : undefined,
    meta: (c, x) => {
      if (rankOf(x) === 0) throw runtimeError('slice() cannot be applied to a 0-dim tensor.')
      const step = c.dim('step')
      if (typeof step === 'number' && step <= 0) throw runtimeError('slice step must be positive')
      const edge = (name: string): Dim | null => (c.has(name) ? c.dim(name) : null)
      return sliced(c, x, wrapDim(c.int('dim'), rankOf(x)), { start: edge('start'), end: edge('end'), step })
    },
  },
  'aten.narrow_copy': {
    decomp: (c) => {
      const view = c.call('aten.narrow.default', [c.tensor('self'), c.get('dim'), c.get('start'), c.get('length')])
      if (!c.rules.contiguousNarrowCopy) return c.call('aten.clone.default', [view])
      return c.call('aten.clone.default', [view], { memory_format: memoryFormat('contiguous_format') })
    },
  },
  'aten.narrow': {
    implicit: (c, x) => {
      if (rankOf(x) === 0) throw runtimeError('narrow() cannot be applied to a 0-dim tensor.')
      if (c.maybeTensor('start'))
        throw new TorchError('DataDependentOutputException', 'aten._local_scalar_dense.default')
      const [start, length] = [c.dim('start'), c.dim('length')]
      if (typeof length === 'number' && length < 0) throw runtimeError('narrow(): length must be non-negative.')
      const size = x.meta.shape[wrapDim(c.int('dim'), rankOf(x))]!
      const from = typeof start === 'number' && start < 0 ? addDims(start, size) : start
      if (typeof from === 'number' && typeof length === 'number' && typeof size === 'number' && from + length > size)
        throw runtimeError(`start (${from}) + length (${length}) exceeds dimension size (${size}).`)
      const first = from === start ? c.get('start') : dimArg(from)
      return c.op('aten.slice.Tensor', x, c.get('dim'), first, c.call('operator.add', [first, c.get('length')]))
    },
  },
})

export const TRAITS: Traits = {
  view: 'slice select narrow slice_scatter select_scatter',
  passes: 'slice select',
}
