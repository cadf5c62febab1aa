/** Operators on complex tensors and their parts. */
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { dimArgs, type FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Traits, OpDef, Rules } from '../../operator'
import { elementwiseDtype, isComplexDtype, isFloatDtype, toReal } from '../../promote'
import { stridesOf } from '../../strides'
import { floorDiv, mulDims } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { CPU } from '../factories/empty'
import { elementwise } from './elementwise_rule'

const COMPLEX: Readonly<Record<string, string>> = { float16: 'complex32', float32: 'complex64', float64: 'complex128' }

/** Views a complex tensor as reals, with a last dimension of 2. */
export function pairs(c: OpCall, x: FakeTensor): FakeTensor {
  const reals = c.op('aten.view.dtype', x, dtypeArg(toReal(x.meta.dtype)))
  return c.op('aten.view.default', reals, dimArgs([...x.meta.shape, 2]))
}

const ofTwo = (...names: [string, string]): OpDef => ({
  meta: (c) => {
    const both = names.map((n) => c.tensor(n))
    for (const [i, part] of ['real', 'imag'].entries())
      if (!isFloatDtype(both[i]!.meta.dtype))
        throw new TorchError('AssertionError', `${part} must be floating point, got torch.${both[i]!.meta.dtype}`)
    return elementwise(c, both, 'default', COMPLEX[both[0]!.meta.dtype] ?? 'complex64')
  },
})

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.view_as_complex': {
    meta: (c, x) => {
      const dtype = COMPLEX[x.meta.dtype]
      if (!dtype)
        throw runtimeError(
          `view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ${x.meta.dtype}`,
        )
      if (x.meta.shape.at(-1) !== 2) throw runtimeError('Tensor must have a last dimension of size 2')
      return c.view(x, {
        dtype,
        shape: x.meta.shape.slice(0, -1),
        stride: stridesOf(x.meta)
          .slice(0, -1)
          .map((d) => floorDiv(d, 2)),
      })
    },
  },
  'aten.view_as_real': {
    meta: (c, x) => {
      if (!isComplexDtype(x.meta.dtype)) throw runtimeError('view_as_real is only supported for complex tensors')
      if (x.conj)
        throw runtimeError(
          "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.",
        )
      return c.view(x, {
        dtype: toReal(x.meta.dtype),
        shape: [...x.meta.shape, 2],
        stride: [...stridesOf(x.meta).map((d): Dim => mulDims(d, 2)), 1],
      })
    },
  },
  'aten.real': {
    implicit: (c, x) => {
      if (!isComplexDtype(x.meta.dtype)) return x
      const plain = x.conj ? c.op('aten._conj.default', x) : x
      return c.op('aten.select.int', c.op('aten.view_as_real.default', plain), BigInt(x.meta.shape.length), 0n)
    },
  },
  'aten.imag': {
    implicit: (c, x) => {
      if (!isComplexDtype(x.meta.dtype))
        throw runtimeError('imag is not implemented for tensors with non-complex dtypes.')
      const reals = x.conj
        ? c.op('aten._neg_view.default', c.op('aten.view_as_real.default', c.op('aten._conj.default', x)))
        : c.op('aten.view_as_real.default', x)
      return c.op('aten.select.int', reals, BigInt(x.meta.shape.length), 1n)
    },
  },
  'aten.polar': ofTwo('abs', 'angle'),
  'aten.complex': ofTwo('real', 'imag'),
  'aten._conj': { meta: (c) => ({ ...c.view(c.tensor('self'), {}), conj: !c.tensor('self').conj }) },
  'aten._neg_view': { meta: (c) => ({ ...c.view(c.tensor('self'), {}), neg: !c.tensor('self').neg }) },
  'aten.conj': {
    implicit: (c, x) => {
      if (!isComplexDtype(x.meta.dtype)) return x
      return c.op('aten._conj.default', x)
    },
  },
  'aten.conj_physical': {
    implicit: (c, x) => (isComplexDtype(x.meta.dtype) ? c.op('aten._conj_physical.default', x) : x),
  },
  'aten._conj_physical': { meta: (c) => elementwise(c, [c.tensor('self')]) },
  'aten.resolve_conj': {
    implicit: (c) => (c.tensor('self').conj ? c.op('aten.clone.default', c.tensor('self')) : c.tensor('self')),
  },
  'aten.resolve_neg': {
    implicit: (c) => (c.tensor('self').neg ? c.op('aten.clone.default', c.tensor('self')) : c.tensor('self')),
  },
  'aten.angle': {
    decomp: (c) => {
      const x = c.tensor('self')
      if (isComplexDtype(x.meta.dtype)) {
        const nan = c.op('aten.isnan.default', c.op('aten.real.default', x))
        const angle = c.op('aten.atan2.default', c.op('aten.imag.default', x), c.op('aten.real.default', x))
        return c.op('aten.where.ScalarSelf', nan, NaN, angle)
      }
      const options = {
        dtype: dtypeArg(elementwiseDtype([x], 'int_to_float')),
        device: x.meta.device ?? CPU,
        pin_memory: false,
      }
      const pi = c.call('aten.scalar_tensor.default', [Math.PI], options)
      const turned = c.op('aten.where.ScalarOther', c.op('aten.lt.Scalar', x, 0n), pi, 0)
      return c.op('aten.where.ScalarSelf', c.op('aten.isnan.default', x), NaN, turned)
    },
  },
})

export const TRAITS: Traits = {
  view: 'view_as_real view_as_complex',
}
