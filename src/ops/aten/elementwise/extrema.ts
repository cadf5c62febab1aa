/** Minimum and maximum of two operands, and clamping. */
import { larger, smaller } from '../../expr/functions'
import { type DispatchArg, type FakeTensor, isFake } from '../../fake'
import { type Param, tensorArg } from '../../kernel'
import { python } from '../../formula/formula'
import type { Kernels, OpDef, Rules } from '../../operator'
import { computationDtype, elementwiseDtype } from '../../promote'
import { same } from './arithmetic'
import { elementwiseKernel, type Formula, kernelsOf, OTHER, SELF } from './elementwise_kernel'
import { cast, elementwise, inOpmath } from './elementwise_rule'
import { UNCHANGED } from '../../shape_words'

const fmost = (compare: string): OpDef => ({
  decomp: python(`where(isnan(other) | (other ${compare} self), self, other)`),
})

const EXTREMA: Record<string, Formula> = { maximum: larger, minimum: smaller, clamp_min: larger, clamp_max: smaller }

const BOUND = (name: string): Param => ({ name, kind: 'in', scalar: true, optional: true })

const clamp = elementwiseKernel({
  name: 'clamp',
  params: [SELF, BOUND('min'), BOUND('max')],
  operands: ['self', 'min', 'max'],
  dtype: (call) => tensorArg(call, 'self').dtype,
  formula(call) {
    const has = (n: string): boolean => Boolean(call.tensors[n]) || typeof call.attrs[n] === 'number'
    return (x, min, max) => {
      const low = has('min') ? larger(x, min!) : x
      return has('max') ? smaller(low, max!) : low
    }
  },
})

export const rules = (): Rules => ({
  'aten.fmax': fmost('<'),
  'aten.fmin': fmost('>'),
  'aten.max.other': same('aten.maximum.default'),
  'aten.min.other': same('aten.minimum.default'),
  'aten.clamp_min': {
    shape: UNCHANGED,
    meta: (c) => elementwise(c, [c.tensor('self'), c.get('min')]),
  },
  'aten.clamp_max': {
    shape: UNCHANGED,
    meta: (c) => elementwise(c, [c.tensor('self'), c.get('max')]),
  },
  'aten.clip': {
    implicit: (c) =>
      c.call(
        c.schema.name.endsWith('.Tensor') ? 'aten.clamp.Tensor' : 'aten.clamp.default',
        ['self', 'min', 'max'].map((n) => c.get(n)),
      ),
  },
  'aten.clamp': {
    shape: UNCHANGED,
    decomp: (c) => {
      const [min, max] = [c.get('min'), c.get('max')]
      const suffix = c.schema.name.endsWith('.Tensor') ? 'Tensor' : 'default'
      const limits = [min, max].filter((v) => v !== null)
      const scalars = suffix === 'Tensor' ? [] : limits
      const tensors = [c.tensor('self')]
      const result = elementwiseDtype([...tensors, ...limits])
      const body = (x: FakeTensor, min: DispatchArg, max: DispatchArg): FakeTensor => {
        let out = x
        if (min !== null) out = c.op(`aten.clamp_min.${suffix}`, out, min)
        if (max !== null) out = c.op(`aten.clamp_max.${suffix}`, out, max)
        return out
      }
      if (suffix === 'default') return inOpmath(c, tensors, (x) => body(x, min, max), 'default', scalars)
      const wide = (v: DispatchArg): DispatchArg => (isFake(v) ? cast(c, v, computationDtype(result)) : v)
      const [x, lo, hi] = [tensors[0]!, min, max].map(wide)
      return cast(c, body(x as FakeTensor, lo!, hi!), result)
    },
  },
})

export const KERNELS: Kernels = {
  ...kernelsOf(EXTREMA, [
    { ...SELF, scalar: true },
    { ...OTHER, aliases: ['b', 'min', 'max'] },
  ]),
  'aten.clamp': clamp,
}
