/** Choice between two operands by a mask. */
import { dtype as dtypeArg, layout } from '../../../fx'
import { where as choose } from '../../expr/expr'
import { type DispatchArg, type FakeTensor, isFake } from '../../fake'
import { tensorArg } from '../../kernel'
import type { OpCall } from '../../op_call'
import type { Traits, Kernels, Rules } from '../../operator'
import { elementwiseDtype, isFloatDtype, isIntDtype } from '../../promote'
import { runtimeError, TorchError } from '../../torch_error'
import { elementwiseKernel, SELF } from './elementwise_kernel'
import { cast, elementwise } from './elementwise_rule'
import { BROADCAST } from '../../shape_words'
import * as guess from '../../guess/relations'

/** A number as a zero-dimensional tensor, as in decompositions and where(). */
export function scalarTensor(c: OpCall, value: DispatchArg, dtype: string, like: FakeTensor): FakeTensor {
  return c.call('aten.scalar_tensor.default', [value], {
    dtype: dtypeArg(dtype),
    layout: layout('strided'),
    device: like.meta.device!,
  }) as FakeTensor
}

/** A number as the Python type of the dtype: 0 becomes 0.0 for a float tensor. */
const asNumberOf = (dtype: string, value: DispatchArg): DispatchArg => {
  if (typeof value !== 'bigint' && typeof value !== 'boolean' && typeof value !== 'number') return value
  if (dtype === 'bool') return Boolean(value)
  if (isIntDtype(dtype) && !Number.isFinite(Number(value)))
    throw new TorchError(
      'OverflowError',
      `cannot convert float ${Number.isNaN(Number(value)) ? 'NaN' : 'infinity'} to integer`,
    )
  return isFloatDtype(dtype) ? Number(value) : isIntDtype(dtype) ? BigInt(Math.trunc(Number(value))) : value
}

const where = elementwiseKernel({
  name: 'where',
  params: [
    { name: 'condition', kind: 'in', aliases: ['pred'] },
    { name: 'self', kind: 'in', scalar: true, aliases: ['a'] },
    { name: 'other', kind: 'in', scalar: true, aliases: ['b'] },
  ],
  operands: ['condition', 'self', 'other'],
  promoted: ['self', 'other'],
  formula: () => (condition, a, b) => choose(condition.truth(), a, b),
})

const maskedFill = elementwiseKernel({
  name: 'masked_fill',
  params: [SELF, { name: 'mask', kind: 'in' }, { name: 'value', kind: 'in', scalar: true }],
  operands: ['self', 'mask', 'value'],
  dtype: (call) => tensorArg(call, 'self').dtype,
  formula: () => (a, mask, value) => choose(mask.truth(), value, a),
})

export const rules = (): Rules => ({
  'aten.where.self': {
    shape: BROADCAST,
    guess: guess.chosen,
    meta: (c) => {
      const [cond, a, b] = [c.tensor('condition'), c.tensor('self'), c.tensor('other')]
      if (cond.meta.dtype !== 'bool') throw runtimeError(`expected predicate to be bool, got torch.${cond.meta.dtype}`)
      return elementwise(c, [cond, a, b], 'default', elementwiseDtype([a, b]))
    },
  },
  'aten.where.ScalarOther aten.where.ScalarSelf aten.where.Scalar': {
    implicit: (c, cond) => {
      const [a, b] = [c.get('self'), c.get('other')]
      const dtype = elementwiseDtype([a, b])
      // C++ evaluates arguments from the right.
      let other = isFake(b) ? b : scalarTensor(c, b, dtype, cond)
      let self = isFake(a) ? a : scalarTensor(c, a, dtype, cond)
      other = cast(c, other, dtype)
      self = cast(c, self, dtype)
      return c.op('aten.where.self', cond, self, other)
    },
  },
  'aten.masked_fill.Scalar': {
    guess: guess.likeFirst,
    decomp: (c) => {
      const x = c.tensor('self')
      const value = asNumberOf(x.meta.dtype, c.get('value'))
      const filled = c.op('aten.where.self', c.tensor('mask'), scalarTensor(c, value, x.meta.dtype, x), x)
      return c.op('aten.contiguous.default', filled)
    },
  },
  'aten.masked_fill.Tensor': {
    guess: guess.likeFirst,
    decomp: (c) => {
      const rank = c.tensor('value').meta.shape.length
      if (rank > 0)
        throw runtimeError(`only supports a 0-dimensional value tensor, but got tensor with ${rank} dimension`)
      const filled = c.op('aten.where.self', c.tensor('mask'), c.tensor('value'), c.tensor('self'))
      return c.op('aten.contiguous.default', filled)
    },
  },
  'aten.scalar_tensor prims.scalar_tensor': {
    meta: (c) => c.fresh(c.dtype() ?? 'float32', [], c.device()),
  },
})

export const KERNELS: Kernels = { 'aten.where': where, 'aten.masked_fill': maskedFill }

export const TRAITS: Traits = {
  factory: 'scalar_tensor',
}
