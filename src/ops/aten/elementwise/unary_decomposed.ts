/** Elementwise operators of one tensor that are decomposed. */
import { dtype as dtypeArg } from '../../../fx'
import type { DispatchArg, FakeTensor } from '../../fake'
import { cpp, formula } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { OpDef, Rule, Rules } from '../../operator'
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

const intToFloat = (text: string): OpDef => pointwise('self', text, 'int_to_float')

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

const roundScaled = formula('round(self * scale) * (1 / scale)', { cpp: false })

const logit = (bounded: string): Rule =>
  intToFloat(`
    low = -1.0 if eps is None else float(eps)
    ${bounded}
    log(z / (1 - z))`).decomp!

const logitByClamp = logit('z = clamp(self, low, 1 - low)')
const logitByWhere = logit(`
    below = self < low
    above = self > 1 - low
    z = where(below, low, where(above, 1 - low, self))`)

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.round.decimals': {
    noop: ofIntegers,
    decomp: (c) => {
      const scale = 10 ** c.int('decimals')
      return roundScaled(c, (name) => (name === 'scale' ? scale : undefined))
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
  'aten.frac': pointwise('self', "self - trunc(self) if rule('fracByTrunc') else self - floor(abs(self)) * sign(self)"),
  'aten.sgn': pointwise('self', 'sign(self)'),
  'aten.deg2rad': intToFloat('self * (M_PI / 180)'),
  'aten.rad2deg': intToFloat('self * (180 / M_PI)'),
  'aten.sinc': intToFloat(`
    angle = self * M_PI
    where(angle == 0, 1, sin(angle) / angle)`),
  'aten.logit': {
    decomp: (c, x) => (c.rules.logitByWhere ? logitByWhere : logitByClamp)(c, x),
  },
  'aten.special_ndtr': { implicit: cpp('(erf(self * M_SQRT1_2) + 1) * 0.5') },
  'aten.special_entr': intToFloat(`
    unknown = isnan(self)
    positive = self > 0
    value = -self * log(self)
    where(unknown, self, where(positive, value, where(self == 0, 0, -inf)))`),
  'aten.special_log_ndtr': intToFloat(`
    scaled = self * M_SQRT1_2
    low = self < 1.0
    left = log(special_erfcx(-scaled) / 2) - scaled * scaled
    where(low, left, log1p(-erfc(scaled) / 2))`),
  'aten.mvlgamma': { implicit: multigamma },
  'aten.special_multigammaln': { implicit: multigamma },
})
