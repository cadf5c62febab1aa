/** Derivatives of special functions and of elementwise operators on two tensors. */
import { gradient, unsupportedDerivative, type BackwardCall, type Derivatives, type Formula } from '../../derivative'
import { isFake } from '../../fake'
import { formula } from '../../formula/formula'
import { chosen } from './elementwise'

/** self · (log | log1p)(other), which is 0 where self is 0. */
const xlog = (name: string, least: string, log: string): Derivatives[string] => ({
  other: `grad * self / ${log}`,
  self: `
    slope = ${name}(grad, other)
    masked_fill.Scalar(slope, (self == 0.0) & (other <= ${least}), 0)`,
})

/** clamp_backward with bounds that are tensors; two equal elements share the gradient. */
const between = formula(
  `
  apart = min < max
  at_low = self == min
  shared = logical_and(logical_or(at_low, self == max), apart)
  below = self < min
  outside = logical_or(below, self > max)
  masked_fill.Scalar(where(shared, grad / 2, grad), outside, 0)`,
  { cpp: true },
)
const oneBound = (name: 'min' | 'max'): ReturnType<typeof formula> =>
  formula(chosen(name === 'min' ? '<' : '>', name), { cpp: true })
const [atLeast, atMost] = [oneBound('min'), oneBound('max')]
const clamped: Formula = (g: BackwardCall) => {
  const made = isFake(g.c.get('min')) ? (isFake(g.c.get('max')) ? between : atLeast) : atMost
  return made(g.c, (name) => (name === 'grad' ? g.grad : undefined)) as ReturnType<Formula>
}

const logit = gradient(`
    low = 0.0 if eps is None else eps
    above = self >= low
    inside = logical_and(above, self <= 1 - low)
    slope = grad / (self * rsub.Scalar(self, 1.0))
    where(inside, slope, new_full(self, [], nan)) if eps is None else where(inside, slope, 0.0)`)

export const DERIVATIVES: Derivatives = {
  'aten.fmax': { self: chosen('<'), other: chosen('>') },
  'aten.fmin': { self: chosen('>'), other: chosen('<') },
  'aten.clamp_min.Tensor': { self: chosen('<', 'min'), min: chosen('>', 'min') },
  'aten.clamp_max.Tensor': { self: chosen('>', 'max'), max: chosen('<', 'max') },
  'aten.clamp.Tensor': { self: clamped },
  'aten.rad2deg': 'grad * (180 / M_PI)',
  'aten.deg2rad': 'grad * (M_PI / 180)',
  'aten.xlogy.Tensor': xlog('xlogy.Tensor', '0.0', 'other'),
  'aten.special_xlog1py': xlog('special_xlog1py', '-1.0', '(other + 1)'),
  'aten.logit': {
    self: (g) => {
      if (!g.c.functional) throw unsupportedDerivative('aten.logit.default in torch.func')
      return logit(g)
    },
  },
  'aten.sinc': `
    scaled = self * M_PI
    square = self * self * M_PI
    sine = sin(scaled)
    slope = grad * ((scaled * cos(scaled) - sine) / square)
    none = zero(grad)
    where(square == 0.0, none, slope)`,
  'aten.angle': 'zeros_like(self)',
  'aten.special_entr': 'grad * -(log(self) + 1)',
  'aten.erfinv': 'exp(erfinv(self) ** 2) * (M_PI / 4 * M_2_SQRTPI) * grad',
  'aten.digamma': 'grad * polygamma(1, self)',
  'aten.i0': 'grad * special_i1(self)',
  'aten.atan2': {
    'self, other': (g) => {
      const [x, y] = [g.self, g.tensor('other')]
      const square = g.mul(y, y)
      const sum = g.op('add.Tensor', g.mul(x, x), square)
      const inverse = g.op('reciprocal.default', sum)
      const factor = g.op('masked_fill.Scalar', inverse, g.op('eq.Scalar', sum, 0n), 0)
      const first = g.needs('self') ? g.mul(g.mul(g.grad, y), factor) : null
      return [first, g.needs('other') ? g.mul(g.mul(g.grad, g.op('neg.default', x)), factor) : null]
    },
  },
  'aten.copysign.Tensor': {
    other: 'zeros_like(other)',
    self: `
      ratio = result / self
      grad * in_place('masked_fill.Scalar', ratio, self == 0, 0)`,
  },
  'aten.ldexp.Tensor': { other: 'grad * result * M_LN2', self: 'grad * 2.0 ** other' },
  'aten.fmod.Tensor': { self: 'grad', other: "-grad * div.Tensor_mode(self, other, rounding_mode='trunc')" },
  'aten.remainder.Tensor': { self: 'grad', other: "-grad * div.Tensor_mode(self, other, rounding_mode='floor')" },
}
