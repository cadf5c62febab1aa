/** Splits a tensor along one dimension. */
import type { Dim } from '../../../fx'
import { dimArg, type DispatchArg, type FakeTensor, rankOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, OpDef, Rules } from '../../operator'
import { tensorStrides } from '../../strides'
import { addDims, floorDiv, modDims, mulDims, sameDim, subDims } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { offset } from './slice'

/** The first symbol in a size, by its name in the environment. */
const symbolIn = (size: Dim): string => /[su]\d+/.exec(String(size))?.[0] ?? String(size)

function pieces(c: OpCall, x: FakeTensor, dim: number, sizes: readonly Dim[]): DispatchArg {
  let at: Dim = 0
  return sizes.map((size) => {
    const from = at
    at = addDims(at, size)
    const shape = x.meta.shape.map((d, i) => (i === dim ? size : d))
    return c.view(x, { shape, stride: tensorStrides(x), storageOffset: offset(x, dim, from) })
  })
}

/** Number of chunks of size `(size + n - 1) // n`, where n is the number that chunk requests. */
function evenPieces(size: Dim, each: Dim): number | null {
  for (let n = 1; n <= 16; n++) if (sameDim(each, floorDiv(addDims(size, n - 1), n))) return n
  return null
}

/** `arg`: equal-sized pieces, or pieces that end at the indices. */
const splitAlong = (
  name: string,
  least: number,
  dimOf: (rank: number) => bigint,
  arg: 'sections' | 'indices',
): OpDef => ({
  implicit: (c, x) => {
    const rank = rankOf(x)
    if (rank < least)
      throw runtimeError(
        `torch.${name} requires a tensor with at least ${least} dimension${least > 1 ? 's' : ''}, but got a tensor with ${rank} dimensions!`,
      )
    const dim = dimOf(rank)
    const size = x.meta.shape[Number(dim)]!
    if (arg === 'sections' && typeof size === 'number' && size % c.int(arg) !== 0)
      throw runtimeError(
        `torch.${name} attempted to split along dimension ${dim}, but the size of the dimension ${size} is not divisible by the split_size ${c.int(arg)}!`,
      )
    return c.call(`aten.tensor_split.${arg}`, [x, c.get(arg), dim])
  },
})

const hsplit = (arg: 'sections' | 'indices'): OpDef => splitAlong('hsplit', 1, (rank) => (rank === 1 ? 0n : 1n), arg)

const vsplit = (arg: 'sections' | 'indices'): OpDef => splitAlong('vsplit', 2, () => 0n, arg)

const dsplit = (arg: 'sections' | 'indices'): OpDef => splitAlong('dsplit', 3, () => 2n, arg)

/** A symbolic size that is divisible by the count splits evenly. */
const exactly = (size: Dim, chunks: number, rounded: Dim): Dim => {
  const each = floorDiv(size, chunks)
  return sameDim(mulDims(each, chunks), size) ? each : rounded
}

const SPLIT = 'A list of tensors, whose sizes in dim add up to the input’s.'

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.split.Tensor': {
    shape: SPLIT,
    meta: (c, x) => {
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const size = x.meta.shape[dim]!
      const each = c.dim('split_size')
      if (typeof each === 'number' && each < 0)
        throw runtimeError(`split expects split_size be non-negative, but got split_size=${each}`)
      if (each === 0) {
        if (size === 0) return pieces(c, x, dim, [size])
        throw runtimeError(`split_size can only be 0 if dimension size is 0, but got dimension size of ${size}`)
      }
      const count =
        typeof size === 'string'
          ? (evenPieces(size, each) ?? (typeof each === 'number' ? c.pieces(size, each) : null))
          : null
      if (count !== null)
        return pieces(c, x, dim, [...new Array<Dim>(count - 1).fill(each), subDims(size, mulDims(each, count - 1))])
      const whole = floorDiv(size, each)
      if (typeof whole !== 'number')
        throw new TorchError(
          'NotImplementedError',
          `the number of pieces of ${each} in the symbolic size ${size} depends on its hint, which the graph does not show: give it in the environment (${symbolIn(size)}=…)`,
        )
      const sizes: Dim[] = new Array<Dim>(whole).fill(each)
      const rest = subDims(size, mulDims(each, whole))
      if (rest !== 0 || sizes.length === 0) sizes.push(rest)
      return pieces(c, x, dim, sizes)
    },
  },
  'aten.unsafe_split.Tensor': {
    decomp: (c) => c.call('aten.split.Tensor', [c.tensor('self'), c.get('split_size'), c.get('dim')]),
  },
  /** at::tensor_split: slices; if the count does not divide the size, the first slices are longer by one. */
  'aten.tensor_split.sections': {
    implicit: (c, x) => {
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const size = x.meta.shape[dim]!
      const count = c.int('sections')
      if (count <= 0) throw runtimeError(`number of sections must be larger than 0, got ${count}`)
      const each = c.call('operator.floordiv', [dimArg(size), BigInt(count)])
      const longer = modDims(size, count)
      let start: DispatchArg = 0n
      return Array.from({ length: count }, (_, i) => {
        const own = typeof longer === 'number' && i < longer ? c.call('operator.add', [each, 1n]) : each
        const from = start
        const piece = c.op('aten.slice.Tensor', x, BigInt(dim), from, c.call('operator.add', [from, own]))
        start = c.call('operator.add', [from, own]) // C++ adds once for the piece's end, and once for the next one's start
        return piece
      })
    },
  },
  'aten.tensor_split.indices': {
    implicit: (c, x) => {
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const ends = [...c.dims('indices')!, x.meta.shape[dim]!]
      return ends.map((end, i) =>
        c.op('aten.slice.Tensor', x, BigInt(dim), dimArg(i === 0 ? 0 : ends[i - 1]!), dimArg(end)),
      )
    },
  },
  'aten.hsplit.int': hsplit('sections'),
  'aten.hsplit.array': hsplit('indices'),
  'aten.vsplit.int': vsplit('sections'),
  'aten.vsplit.array': vsplit('indices'),
  'aten.dsplit.int': dsplit('sections'),
  'aten.dsplit.array': dsplit('indices'),
  'aten.split_with_sizes': {
    shape: SPLIT,
    meta: (c, x) => {
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const sizes = c.dims('split_sizes')!
      if (sizes.some((d) => typeof d === 'number' && d < 0))
        throw runtimeError('split_with_sizes expects split_sizes have only non-negative entries')
      const sum = sizes.reduce(addDims, 0)
      const size = x.meta.shape[dim]!
      if (typeof sum === 'number' && typeof size === 'number' && sum !== size)
        throw new TorchError('ValueError', `Split sizes add up to ${sum} but got the tensor's size of ${size}`)
      return pieces(c, x, dim, sizes)
    },
  },
  'aten.split.sizes': {
    implicit: (c) => c.call('aten.split_with_sizes.default', [c.tensor('self'), c.get('split_size'), c.get('dim')]),
  },
  'aten.chunk': {
    shape: SPLIT,
    implicit: (c, x) => {
      const size = x.meta.shape[wrapDim(c.int('dim'), rankOf(x))]!
      const chunks = c.int('chunks')
      const each = floorDiv(addDims(size, chunks - 1), chunks)
      return c.call('aten.split.Tensor', [
        x,
        dimArg(typeof size === 'string' ? exactly(size, chunks, each) : each),
        c.get('dim'),
      ])
    },
  },
  'aten.unsafe_chunk': {
    implicit: (c) => c.call('aten.chunk.default', [c.tensor('self'), c.get('chunks'), c.get('dim')]),
  },
  'aten.unbind.int': {
    meta: (c, x) => {
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const size = x.meta.shape[dim]!
      const count = typeof size === 'number' ? size : c.pieces(size, 1)
      if (count === null)
        throw runtimeError(
          `Cannot unbind the symbolic size ${size}: the environment gives no value of it (${symbolIn(size)}=…)`,
        )
      return Array.from({ length: count }, (_, i) =>
        c.view(x, {
          shape: x.meta.shape.filter((_d, j) => j !== dim),
          stride: tensorStrides(x).filter((_d, j) => j !== dim),
          storageOffset: offset(x, dim, i),
        }),
      )
    },
  },
})

export const TRAITS: Traits = {
  view: 'split split_with_sizes chunk unbind',
}
