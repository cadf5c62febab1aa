/** Views with reordered dimensions. */
import { type FakeTensor, rankOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, OpDef, Rules } from '../../operator'
import { isComplexDtype } from '../../promote'
import { listText, tensorStrides } from '../../strides'
import { runtimeError, TorchError } from '../../torch_error'
import * as guess from '../../guess/relations'

/** transpose as in Inductor. */
export function transpose(c: OpCall, x: FakeTensor, dim0: number, dim1: number): FakeTensor {
  const a = wrapDim(dim0, rankOf(x))
  const b = wrapDim(dim1, rankOf(x))
  if (rankOf(x) <= 1 || a === b) return c.op('aten.alias.default', x)
  const perm = x.meta.shape.map((_, i) => BigInt(i === a ? b : i === b ? a : i))
  return c.op('aten.permute.default', x, perm)
}

/** Transposes a matrix or each matrix of a batch; a scalar is unchanged. */
const turned = (called: string, conjugate: boolean, batches = true): OpDef => ({
  implicit: (c, x) => {
    if (rankOf(x) === 0) return x
    if (rankOf(x) === 1 || (rankOf(x) > 2 && !batches)) {
      const supported = batches ? 'matrices or batches of matrices.' : 'matrices (2-D tensors).'
      const other = batches || rankOf(x) === 1 ? '' : ' For batches of matrices, consider using tensor.mH'
      throw runtimeError(`tensor.${called} is only supported on ${supported} Got ${rankOf(x)}-D tensor.${other}`)
    }
    const out = transpose(c, x, -2, -1)
    return conjugate && isComplexDtype(x.meta.dtype) ? c.op('aten._conj.default', out) : out
  },
})

const movedim = (c: OpCall, from: readonly number[], to: readonly number[]): FakeTensor =>
  movedimOf(c, c.tensor('self'), from, to)

export const movedimOf = (c: OpCall, x: FakeTensor, from: readonly number[], to: readonly number[]): FakeTensor => {
  const rank = rankOf(x)
  if (rank === 0) return c.op('aten.alias.default', x)
  const source = from.map((d) => wrapDim(d, rank))
  const target = to.map((d) => wrapDim(d, rank))
  const rest = x.meta.shape.map((_, i) => i).filter((i) => !source.includes(i))
  const order: number[] = x.meta.shape.map((_, i) => (target.includes(i) ? source[target.indexOf(i)]! : rest.shift()!))
  return c.op('aten.permute.default', x, order.map(BigInt))
}

export const rules = (): Rules => ({
  'aten.permute': {
    shape: 'Dimension i of the result is dimension dims[i] of the input.',
    guess: guess.permute,
    meta: (c, x) => {
      const dims = c.dims('dims')!.map((d) => wrapDim(Number(d), rankOf(x)))
      if (dims.length !== rankOf(x))
        throw new TorchError(
          'ValueError',
          `Attempting to permute a tensor of rank ${rankOf(x)}, but received a permutation of length ${dims.length}!`,
        )
      if (new Set(dims).size !== dims.length)
        throw new TorchError('ValueError', `Received an invalid permutation, ${listText(dims)}!`)
      return c.view(x, { shape: dims.map((d) => x.meta.shape[d]!), stride: dims.map((d) => tensorStrides(x)[d]!) })
    },
  },
  'aten.transpose.int': {
    shape: 'The dimensions dim0 and dim1 change places.',
    guess: guess.transpose,
    decomp: (c) => transpose(c, c.tensor('self'), c.int('dim0'), c.int('dim1')),
  },
  'aten.swapaxes': {
    implicit: (c) => c.op('aten.transpose.int', c.tensor('self'), c.get('axis0'), c.get('axis1')),
  },
  'aten.swapdims': {
    implicit: (c) => c.op('aten.transpose.int', c.tensor('self'), c.get('dim0'), c.get('dim1')),
  },
  'aten.t': {
    shape: '[n, m] gives [m, n].',
    guess: guess.turned,
    decomp: (c, x) => {
      if (rankOf(x) > 2) throw runtimeError(`t() expects a tensor with <= 2 dimensions, but self is ${rankOf(x)}D`)
      return rankOf(x) < 2 ? c.op('aten.alias.default', x) : transpose(c, x, 0, 1)
    },
  },
  'aten.numpy_T': {
    implicit: (c, x) =>
      c.op(
        'aten.permute.default',
        x,
        x.meta.shape.map((_, i) => BigInt(rankOf(x) - 1 - i)),
      ),
  },
  'aten.mT': turned('mT', false),
  'aten.mH': turned('mH', true),
  'aten.adjoint': turned('adjoint()', true),
  'aten.matrix_H': turned('H', true, false),
  'aten.movedim.int aten.moveaxis.int': {
    implicit: (c) => movedim(c, [c.int('source')], [c.int('destination')]),
  },
  'aten.movedim.intlist aten.moveaxis.intlist': {
    implicit: (c) => movedim(c, c.dims('source')!.map(Number), c.dims('destination')!.map(Number)),
  },
})

export const TRAITS: Traits = {
  view: 'permute transpose t movedim numpy_T mT',
  passes: 'permute transpose t',
}
