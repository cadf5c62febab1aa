/** Elementwise operators over lists of tensors, which optimizers call (`aten._foreach_*`). */
import { type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import type { Promotion } from '../../promote'
import { TorchError } from '../../torch_error'
import { elementwise } from './elementwise_rule'

const BINARY = 'add sub mul maximum minimum clamp_max clamp_min pow addcmul'
const TO_FLOAT =
  'div addcdiv acos asin atan cos cosh erf erfc exp expm1 lgamma log log10 log1p log2 reciprocal rsqrt sigmoid sin sinh sqrt tan tanh'
const UNARY = 'ceil floor frac neg round sign trunc'

/** The operands besides `self`: lists of tensors or numbers by index, or one tensor or number for all. */
const operandsAt = (c: OpCall, i: number): DispatchArg[] =>
  c.schema.args
    .filter((a) => a.name !== 'self' && a.name !== 'alpha')
    .map((a) => {
      const v = c.get(a.name)
      return itemsOf(v)?.[i] ?? v
    })

const each = (kind: Promotion): OpDef => ({
  meta: (c) => c.tensors('self').map((x, i) => elementwise(c, [x, ...operandsAt(c, i)], kind)),
})

const scalars: OpDef = {
  meta: (c) => c.tensors('self').map((x: FakeTensor) => c.fresh(x.meta.dtype, [], x.meta.device)),
}

const named = (names: string): string =>
  names
    .split(' ')
    .map((name) => `aten._foreach_${name}`)
    .join(' ')

export const rules = (): Rules => ({
  [named(BINARY)]: each('default'),
  [named(UNARY)]: each('default'),
  [named(TO_FLOAT)]: each('int_to_float'),
  'aten._foreach_lerp': each('default'),
  'aten._foreach_lerp.ScalarList': {
    ...each('default'),
    decomp: (c) => {
      const [start, end] = [c.tensors('self'), c.tensors('tensors1')]
      const ways = c.call('aten._foreach_sub.List', [end, start])
      return c.call('aten._foreach_add.List', [start, c.call('aten._foreach_mul.ScalarList', [ways, c.get('weight')])])
    },
  },
  /** torch._foreach_lerp makes tensors of the weight (lib/torch/_functions.py). */
  'aten._foreach_lerp.Scalar': {
    ...each('default'),
    decomp: () => {
      throw new TorchError(
        'NotImplementedError',
        'Fusescope cannot trace aten._foreach_lerp.Scalar: PyTorch makes tensors of its weight that no graph text contains',
      )
    },
  },
  'aten._foreach_abs': each('complex_to_float'),
  'aten._foreach_norm aten._foreach_max': scalars,
})
