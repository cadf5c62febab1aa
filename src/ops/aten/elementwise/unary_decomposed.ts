/** Elementwise operators of one tensor that are decomposed. */
import { dtype as dtypeArg } from '../../../fx'
import type { DispatchArg, FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { computationDtype, isFloatDtype } from '../../promote'
import { fullLike } from '../factories/like'
import { cast, pointwise } from './elementwise_rule'
import { ofIntegers } from './unary'

/** torch.finfo(dtype).max */
const LARGEST: Readonly<Record<string, number>> = {
  float32: 3.4028234663852886e38,
  bfloat16: 3.3895313892515355e38,
  float16: 65504,
}

const degrees = (factor: number): OpDef =>
  pointwise('self', (c, x) => c.op('aten.mul.Tensor', x, factor), 'int_to_float')

/** mvlgamma: lgamma of self shifted by halves, summed. */
function multigamma(c: OpCall): FakeTensor {
  const [x, p] = [c.tensor('self'), c.int('p')]
  const steps = c.call('aten.arange.start', [BigInt(1 - p), 1n], {
    dtype: dtypeArg(x.meta.dtype),
    device: x.meta.device!,
    pin_memory: false,
  }) as FakeTensor
  const halves = c.op('aten.mul.Tensor', steps, 0.5)
  const shifted = c.op('aten.add.Tensor', c.op('aten.unsqueeze.default', x, -1n), halves)
  const sum = c.op('aten.sum.dim_IntList', c.op('aten.lgamma.default', shifted), [-1n])
  return c.op('aten.add.Tensor', sum, (p * (p - 1) * Math.log(Math.PI)) / 4)
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.round.decimals': {
    noop: ofIntegers,
    decomp: (c) => {
      const scale = 10 ** c.int('decimals')
      return c.op(
        'aten.mul.Tensor',
        c.op('aten.round.default', c.op('aten.mul.Tensor', c.tensor('self'), scale)),
        1 / scale,
      )
    },
  },
  'aten.isfinite': {
    implicit: (c) => {
      const x = c.tensor('self')
      if (!isFloatDtype(x.meta.dtype)) return fullLike(c, x, true, 'bool')
      const finite = c.op('aten.ne.Scalar', c.op('aten.abs.default', x), Infinity)
      return c.op('aten.mul.Tensor', c.op('aten.eq.Tensor', x, x), finite)
    },
  },
  'aten.nan_to_num': {
    decomp: (c, x) => {
      const { dtype } = x.meta
      if (!isFloatDtype(dtype)) return c.op('aten.clone.default', x)
      const largest = LARGEST[dtype] ?? Number.MAX_VALUE
      const replaced = (found: FakeTensor, value: DispatchArg, rest: FakeTensor): FakeTensor =>
        c.op('aten.where.ScalarSelf', found, value, rest)
      const infinite = (value: number): FakeTensor => c.op('aten.eq.Scalar', cast(c, x, computationDtype(dtype)), value)
      const given = (name: string, otherwise: number): DispatchArg => (c.has(name) ? c.get(name) : otherwise)
      const known = replaced(c.op('aten.isnan.default', x), given('nan', 0), x)
      const above = replaced(infinite(-Infinity), given('neginf', -largest), known)
      return replaced(infinite(Infinity), given('posinf', largest), above)
    },
  },
  'aten.frac': pointwise('self', (c, x) => {
    if (c.rules.fracByTrunc) return c.op('aten.sub.Tensor', x, c.op('aten.trunc.default', x))
    const floor = c.op('aten.floor.default', c.op('aten.abs.default', x))
    return c.op('aten.sub.Tensor', x, c.op('aten.mul.Tensor', floor, c.op('aten.sign.default', x)))
  }),
  'aten.sgn': pointwise('self', (c, x) => c.op('aten.sign.default', x)),
  'aten.deg2rad': degrees(Math.PI / 180),
  'aten.rad2deg': degrees(180 / Math.PI),
  'aten.sinc': pointwise(
    'self',
    (c, x) => {
      const angle = c.op('aten.mul.Tensor', x, Math.PI)
      const zero = c.op('aten.eq.Scalar', angle, 0n)
      return c.op('aten.where.ScalarSelf', zero, 1n, c.op('aten.div.Tensor', c.op('aten.sin.default', angle), angle))
    },
    'int_to_float',
  ),
  'aten.logit': pointwise(
    'self',
    (c, x) => {
      const low = c.has('eps') ? c.number('eps')! : -1
      if (!c.rules.logitByWhere) {
        const z = c.op('aten.clamp.default', x, low, 1 - low)
        return c.op('aten.log.default', c.op('aten.div.Tensor', z, c.op('aten.rsub.Scalar', z, 1n)))
      }
      const below = c.op('aten.lt.Scalar', x, low)
      const above = c.op('aten.gt.Scalar', x, 1 - low)
      const capped = c.op('aten.where.ScalarSelf', above, 1 - low, x)
      const z = c.op('aten.where.ScalarSelf', below, low, capped)
      return c.op('aten.log.default', c.op('aten.div.Tensor', z, c.op('aten.rsub.Scalar', z, 1n)))
    },
    'int_to_float',
  ),
  'aten.special_ndtr': {
    implicit: (c, x) => {
      const inner = c.op('aten.erf.default', c.op('aten.mul.Scalar', x, Math.SQRT1_2))
      return c.op('aten.mul.Scalar', c.op('aten.add.Scalar', inner, 1n), 0.5)
    },
  },
  'aten.special_entr': pointwise(
    'self',
    (c, x) => {
      const isnan = c.op('aten.isnan.default', x!)
      const positive = c.op('aten.gt.Scalar', x!, 0n)
      const value = c.op('aten.mul.Tensor', c.op('aten.neg.default', x!), c.op('aten.log.default', x!))
      const rest = c.op('aten.where.Scalar', c.op('aten.eq.Scalar', x!, 0n), 0n, -Infinity)
      return c.op('aten.where.self', isnan, x!, c.op('aten.where.self', positive, value, rest))
    },
    'int_to_float',
  ),
  'aten.special_log_ndtr': pointwise(
    'self',
    (c, x) => {
      const scaled = c.op('aten.mul.Tensor', x, Math.SQRT1_2)
      const low = c.op('aten.lt.Scalar', x, 1)
      const tail = c.op('aten.div.Tensor', c.op('aten.special_erfcx.default', c.op('aten.neg.default', scaled)), 2n)
      const left = c.op('aten.sub.Tensor', c.op('aten.log.default', tail), c.op('aten.mul.Tensor', scaled, scaled))
      const upper = c.op('aten.div.Tensor', c.op('aten.neg.default', c.op('aten.erfc.default', scaled)), 2n)
      const right = c.op('aten.log1p.default', upper)
      return c.op('aten.where.self', low, left, right)
    },
    'int_to_float',
  ),
  'aten.mvlgamma': { implicit: multigamma },
  'aten.special_multigammaln': { implicit: multigamma },
})
