/**
 * The elementwise operators of aten and prims. Each is PyTorch's documented function (torch.NAME), computed in float32
 * as its CPU and Inductor kernels do for half precision, then rounded once. Whole numbers are exact up to 2^24.
 */
import { bitsOf, dtypeInfo, fromBits, roundTo } from '../../dtype'
import { KernelRefusal, tensorArg, type Kernel, type KernelCall, type Param } from '../../kernel'
import { EXP, SILU, silu } from '../../silu'
import { elementwise, type Elementwise, type Formula } from './elementwise'
import {
  erf,
  remainder,
  roundHalfEven,
  WGSL_ERF,
  WGSL_GELU_TANH,
  WGSL_NAN,
  WGSL_ORDER,
  WGSL_POW,
  WGSL_SIN,
  WGSL_TANH,
} from '../../math'

const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['a', 'input', 'x'] }
const OTHER: Param = { name: 'other', kind: 'in', scalar: true, aliases: ['b', 'exponent'] }
const bool = (test: string): string => `select(F32(0.0), F32(1.0), ${test})`
const nan = (...xs: string[]): string => xs.map((x) => `nan_at(${x})`).join(' | ')
const NUMBERS = `(${nan('self', 'other')}) == U32(0u)`
/** Compared by their order, so that no subnormal is taken for zero; nothing holds of a NaN. */
const compared = (sign: string): Formula['wgsl'] => bool(`(order(self) ${sign} order(other)) & (${NUMBERS})`)
const nonzero = (x: string): string => `order(${x}) != I32(0)`
/** `value`, or NaN where an operand is. */
const keepNan = (value: string, ...xs: string[]): string =>
  `bitcast<F32>(select(bitcast<U32>(${value}), U32(0x7fc00000u), (${nan(...xs)}) != U32(0u)))`
const LARGER = keepNan('select(self, other, order(self) < order(other))', 'self', 'other')
const SMALLER = keepNan('select(self, other, order(self) > order(other))', 'self', 'other')

type Js = Formula['js']
const f = (wgsl: string, js: Js, ...helpers: string[]): Formula => ({ wgsl, js, helpers })
/** The first of equals: torch keeps the sign of a zero. */
const nanMax = (a: number, b: number): number => (Number.isNaN(a) || a >= b ? a : b)
const nanMin = (a: number, b: number): number => (Number.isNaN(a) || a <= b ? a : b)

const UNARY_FLOAT: Record<string, Formula> = {
  exp: f('exp(self)', Math.exp),
  exp2: f('exp2(self)', (x) => 2 ** x),
  expm1: f(
    'select(exp(self) - 1.0, self * (1.0 + self * (0.5 + self * (0.16666667 + self * 0.041666667))), abs(self) < F32(0.1))',
    Math.expm1,
  ),
  log: f('log(self)', Math.log),
  log2: f('log2(self)', Math.log2),
  log10: f('log(self) * 0.43429448', Math.log10),
  log1p: f(
    'select(log(1.0 + self), self * (1.0 - self * (0.5 - self * (0.33333333 - self * 0.25))), abs(self) < F32(0.05))',
    Math.log1p,
  ),
  sqrt: f('sqrt(self)', Math.sqrt),
  rsqrt: f('1.0 / sqrt(self)', (x) => 1 / Math.sqrt(x)),
  reciprocal: f('1.0 / self', (x) => 1 / x),
  sin: f('sin_at(self, I32(0))', Math.sin, WGSL_SIN),
  cos: f('sin_at(self, I32(1))', Math.cos, WGSL_SIN),
  tan: f('sin_at(self, I32(0)) / sin_at(self, I32(1))', Math.tan, WGSL_SIN),
  atan: f('atan(self)', Math.atan),
  asin: f('asin(self)', Math.asin),
  acos: f('acos(self)', Math.acos),
  sinh: f('0.5 * (exp(self) - exp(-self))', Math.sinh),
  cosh: f('0.5 * (exp(self) + exp(-self))', Math.cosh),
  tanh: f('tanh_of(self)', Math.tanh, WGSL_TANH),
  sigmoid: f('1.0 / (1.0 + exp(-self))', (x) => 1 / (1 + Math.exp(-x))),
  erf: f('erf(self)', erf, WGSL_ERF),
}

const UNARY_SAME: Record<string, Formula> = {
  neg: f('bitcast<F32>(bitcast<U32>(self) ^ U32(0x80000000u))', (x) => -x),
  abs: f('bitcast<F32>(bitcast<U32>(self) & U32(0x7fffffffu))', Math.abs),
  relu: f(keepNan('select(self, F32(0.0), order(self) < I32(0))', 'self'), (x) => nanMax(x, 0), WGSL_NAN, WGSL_ORDER),
  silu: f('silu(self)', silu, EXP, SILU),
  square: f('self * self', (x) => x * x),
  floor: f(
    `select(floor(self), F32(-1.0), (order(self) < I32(0)) & (order(self) > I32(-0x800000)))`,
    Math.floor,
    WGSL_ORDER,
  ),
  ceil: f(
    `select(ceil(self), F32(1.0), (order(self) > I32(0)) & (order(self) < I32(0x800000)))`,
    Math.ceil,
    WGSL_ORDER,
  ),
  trunc: f('trunc(self)', Math.trunc),
  round: f('round(self)', roundHalfEven),
  sign: f(
    'F32(clamp(order(self), I32(-1), I32(1))) * F32(1u - nan_at(self))',
    (x) => Math.sign(x) || 0,
    WGSL_ORDER,
    WGSL_NAN,
  ),
  clone: f('self', (x) => x),
  contiguous: f('self', (x) => x),
  lift_fresh_copy: f('self', (x) => x),
}

const BINARY: Record<string, Formula> = {
  mul: f('self * other', (a, b) => a * b),
  maximum: f(LARGER, nanMax, WGSL_NAN, WGSL_ORDER),
  minimum: f(SMALLER, nanMin, WGSL_NAN, WGSL_ORDER),
  clamp_min: f(LARGER, nanMax, WGSL_NAN, WGSL_ORDER),
  clamp_max: f(SMALLER, nanMin, WGSL_NAN, WGSL_ORDER),
  fmod: f('self - other * trunc(self / other)', (a, b) => a % b),
  remainder: f('self - other * floor(self / other)', remainder),
  bitwise_and: f('F32(I32(self) & I32(other))', (a, b) => a & b),
  bitwise_or: f('F32(I32(self) | I32(other))', (a, b) => a | b),
  bitwise_xor: f('F32(I32(self) ^ I32(other))', (a, b) => a ^ b),
  __lshift__: f('F32(I32(self) << U32(other))', (a, b) => a << b),
  __rshift__: f('F32(I32(self) >> U32(other))', (a, b) => a >> b),
}

const BINARY_FLOAT: Record<string, Formula> = {
  atan2: f('atan2(self, other)', Math.atan2),
  hypot: f('sqrt(self * self + other * other)', Math.hypot),
}

const BINARY_BOOL: Record<string, Formula> = {
  eq: f(compared('=='), (a, b) => Number(a === b), WGSL_NAN, WGSL_ORDER),
  ne: f(
    bool(`(order(self) != order(other)) | ((${nan('self', 'other')}) != U32(0u))`),
    (a, b) => Number(a !== b),
    WGSL_NAN,
    WGSL_ORDER,
  ),
  lt: f(compared('<'), (a, b) => Number(a < b), WGSL_NAN, WGSL_ORDER),
  le: f(compared('<='), (a, b) => Number(a <= b), WGSL_NAN, WGSL_ORDER),
  gt: f(compared('>'), (a, b) => Number(a > b), WGSL_NAN, WGSL_ORDER),
  ge: f(compared('>='), (a, b) => Number(a >= b), WGSL_NAN, WGSL_ORDER),
  logical_and: f(
    bool(`(${nonzero('self')}) & (${nonzero('other')})`),
    (a, b) => Number(a !== 0 && b !== 0),
    WGSL_ORDER,
  ),
  logical_or: f(bool(`(${nonzero('self')}) | (${nonzero('other')})`), (a, b) => Number(a !== 0 || b !== 0), WGSL_ORDER),
  logical_xor: f(
    bool(`(${nonzero('self')}) != (${nonzero('other')})`),
    (a, b) => Number((a !== 0) !== (b !== 0)),
    WGSL_ORDER,
  ),
}

const UNARY_BOOL: Record<string, Formula> = {
  logical_not: f(bool('order(self) == I32(0)'), (x) => Number(x === 0), WGSL_ORDER),
  isnan: f('F32(nan_at(self))', (x) => Number(Number.isNaN(x)), WGSL_NAN),
  isinf: f(bool('(bitcast<U32>(self) & U32(0x7fffffffu)) == U32(0x7f800000u)'), (x) =>
    Number(Math.abs(x) === Infinity),
  ),
  isfinite: f(bool('(bitcast<U32>(self) & U32(0x7fffffffu)) < U32(0x7f800000u)'), (x) => Number(Number.isFinite(x))),
}

const each = (
  table: Record<string, Formula>,
  params: readonly Param[],
  promotion: NonNullable<Elementwise['promotion']>,
): Kernel[] =>
  Object.entries(table).map(([name, formula]) =>
    elementwise({ name, params, operands: params.map((p) => p.name), promotion, formula }),
  )

const ALPHA: Param = { name: 'alpha', kind: 'attr', default: 1 }
/** self + alpha * other, and its mirror images. */
const added = (name: string, sign: 1 | -1, swapped = false): Kernel =>
  elementwise({
    name,
    params: [{ ...SELF, scalar: true }, OTHER, ALPHA],
    operands: ['self', 'other'],
    formula(call) {
      const alpha = sign * Number(call.attrs['alpha'])
      const [a, b] = swapped ? ['other', 'self'] : ['self', 'other']
      const k = Math.abs(alpha) === 1 ? '' : `${literal(Math.abs(alpha))} * `
      return f(`${a} ${alpha < 0 ? '-' : '+'} ${k}${b}`, (x, y) => (swapped ? y + alpha * x : x + alpha * y))
    },
  })

const literal = (x: number): string => {
  const text = fromBits(bitsOf(x)).toString()
  return /[.e]/.test(text) ? `${text}f` : `${text}.0f`
}

const div = elementwise({
  name: 'div',
  params: [SELF, OTHER],
  operands: ['self', 'other'],
  promotion: 'int_to_float',
  formula: f('self / other', (a, b) => a / b),
})

const divMode = elementwise({
  name: 'div',
  params: [SELF, OTHER, { name: 'rounding_mode', kind: 'attr' }],
  operands: ['self', 'other'],
  formula(call) {
    const mode = call.attrs['rounding_mode']
    if (mode === 'floor') return f('floor(self / other)', (a, b) => Math.floor(a / b))
    if (mode === 'trunc') return f('trunc(self / other)', (a, b) => Math.trunc(a / b))
    if (mode === null) return f('self / other', (a, b) => a / b)
    throw new KernelRefusal(`rounding_mode must be None, 'floor' or 'trunc', found ${String(mode)}`)
  },
})

const pow = elementwise({
  name: 'pow',
  params: [{ ...SELF, scalar: true }, OTHER],
  operands: ['self', 'other'],
  formula(call) {
    const e = call.tensors['other'] ? null : call.attrs['other']
    if (e === 2) return f('self * self', (x) => x * x)
    if (e === 3) return f('self * self * self', (x) => x ** 3)
    if (e === 0.5) return f('sqrt(self)', Math.sqrt)
    if (e === -0.5) return f('1.0 / sqrt(self)', (x) => 1 / Math.sqrt(x))
    if (e === -1) return f('1.0 / self', (x) => 1 / x)
    if (typeof e !== 'number') return f('pow_of(self, other)', (a, b) => a ** b, WGSL_POW)
    // PyTorch's CPU kernel takes the exponent in the tensor's dtype.
    const rounded = roundTo(tensorArg(call, 'self').dtype, e)
    return f(`pow_of(self, F32(${literal(rounded)}))`, (a) => a ** rounded, WGSL_POW)
  },
})

const where = elementwise({
  name: 'where',
  params: [
    { name: 'condition', kind: 'in', aliases: ['pred'] },
    { name: 'self', kind: 'in', scalar: true, aliases: ['a'] },
    { name: 'other', kind: 'in', scalar: true, aliases: ['b'] },
  ],
  operands: ['condition', 'self', 'other'],
  promoted: ['self', 'other'],
  formula: f('select(other, self, condition != F32(0.0))', (c, a, b) => (c !== 0 ? a : b)),
})

const maskedFill = elementwise({
  name: 'masked_fill',
  params: [SELF, { name: 'mask', kind: 'in' }, { name: 'value', kind: 'in', scalar: true }],
  operands: ['self', 'mask', 'value'],
  dtype: (call) => tensorArg(call, 'self').dtype,
  formula: f('select(self, value, mask != F32(0.0))', (a, m, v) => (m !== 0 ? v : a)),
})

const BOUND = (name: string): Param => ({ name, kind: 'in', scalar: true, optional: true })
const clamp = elementwise({
  name: 'clamp',
  params: [SELF, BOUND('min'), BOUND('max')],
  operands: ['self', 'min', 'max'],
  dtype: (call) => tensorArg(call, 'self').dtype,
  formula(call) {
    const has = (n: string): boolean => Boolean(call.tensors[n]) || typeof call.attrs[n] === 'number'
    const [lo, hi] = [has('min'), has('max')]
    const bounds = [...(lo ? ['lower'] : []), ...(hi ? ['upper'] : [])]
    return {
      wgsl: `clamp_to(self, min, max)`,
      helpers: [
        WGSL_NAN,
        WGSL_ORDER,
        `fn clamp_to(x: F32, lower: F32, upper: F32) -> F32 {
  ${lo ? 'let low = select(x, lower, order(x) < order(lower));' : 'let low = x;'}
  ${hi ? 'let value = select(low, upper, order(low) > order(upper));' : 'let value = low;'}
  return ${keepNan('value', 'x', ...bounds)};
}`,
      ],
      js: (x, a, b) => nanMin(lo ? nanMax(x, a!) : x!, hi ? b! : Infinity),
    }
  },
})

const addc = (name: string, divided: boolean): Kernel =>
  elementwise({
    name,
    params: [
      SELF,
      { name: 'tensor1', kind: 'in' },
      { name: 'tensor2', kind: 'in' },
      { name: 'value', kind: 'attr', default: 1 },
    ],
    operands: ['self', 'tensor1', 'tensor2'],
    formula(call) {
      const k = Number(call.attrs['value'])
      return divided
        ? f(`self + ${literal(k)} * (tensor1 / tensor2)`, (a, b, c) => a! + k * (b! / c!))
        : f(`self + ${literal(k)} * tensor1 * tensor2`, (a, b, c) => a! + k * b! * c!)
    },
  })

const gelu = elementwise({
  name: 'gelu',
  params: [SELF, { name: 'approximate', kind: 'attr', default: 'none' }],
  operands: ['self'],
  formula: (call) =>
    call.attrs['approximate'] === 'tanh'
      ? f(
          'gelu_tanh(self)',
          (x) => 0.5 * x! * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x! + 0.044715 * x! ** 3))),
          WGSL_GELU_TANH,
        )
      : f('0.5 * self * (1.0 + erf(self * 0.70710678))', (x) => 0.5 * x! * (1 + erf(x! * Math.SQRT1_2)), WGSL_ERF),
})

const cast = (name: string): Kernel =>
  elementwise({
    name,
    params: [SELF, { name: 'dtype', kind: 'attr' }, ...IGNORED],
    operands: ['self'],
    dtype(call: KernelCall) {
      const wanted = call.attrs['dtype']
      if (wanted === null) return tensorArg(call, 'self').dtype
      const dtype = dtypeInfo(String(wanted))
      if (!dtype) throw new KernelRefusal(`the dtype ${String(wanted)} is not supported`)
      return dtype.name
    },
    formula: f('self', (x) => x!),
  })

/** Options with no meaning to a run. */
const IGNORED: Param[] = ['layout', 'device', 'pin_memory', 'non_blocking', 'memory_format', 'copy'].map((name) => ({
  name,
  kind: 'attr',
  default: null,
}))

const WITH_FORMAT: Param = { name: 'memory_format', kind: 'attr', default: null }

/** A copy of any layout into any layout, and into another dtype: what `cat` and `clone` are made of. */
export const copyKernel: Kernel = cast('_to_copy')

/** By `name`, or `name.overload` where overloads differ in more than their operands. */
export const ELEMENTWISE: readonly (readonly [string, Kernel])[] = [
  ...[
    ...each(UNARY_FLOAT, [SELF], 'int_to_float'),
    ...each(UNARY_BOOL, [SELF], 'always_bool'),
    ...each(
      BINARY,
      [
        { ...SELF, scalar: true },
        { ...OTHER, aliases: ['b', 'min', 'max'] },
      ],
      'default',
    ),
    ...each(BINARY_FLOAT, [SELF, OTHER], 'int_to_float'),
    ...each(BINARY_BOOL, [{ ...SELF, scalar: true }, OTHER], 'always_bool'),
    added('add', 1),
    added('sub', -1),
    added('rsub', -1, true),
    div,
    pow,
    where,
    maskedFill,
    clamp,
    addc('addcmul', false),
    addc('addcdiv', true),
    gelu,
    cast('convert_element_type'),
    copyKernel,
  ].map((k) => [k.name, k] as const),
  ...Object.entries(UNARY_SAME).map(([name, formula]) => {
    const k = elementwise({ name, params: [SELF, WITH_FORMAT], operands: ['self'], formula })
    return [name, k] as const
  }),
  ['div.Tensor_mode', divMode],
  ['div.Scalar_mode', divMode],
  ['true_divide', div],
]
