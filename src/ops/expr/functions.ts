/** Functions of expressions, each in JavaScript and in WGSL. */
import { roundAll, roundFn, roundTo, type DTypeName } from '../dtype'
import { erf as erfOf, WGSL_ERF, WGSL_GELU_TANH } from '../kernels/math'
import { EXP, SILU, silu as siluOf } from '../kernels/silu'
import { apply, type Expr, fn, number, test, where, whole } from './expr'
import { WGSL_NAN, WGSL_ORDER } from './primitives'

/** Rounded to a storage dtype and back. */
export const rounded = (dtype: DTypeName, x: Expr): Expr =>
  apply(
    {
      wgsl: `round_${dtype}($0)`,
      js: (v) => roundTo(dtype, v!),
      loop: (out, n, v) => roundAll(dtype, out, n, v),
      helpers: [roundFn(dtype, `round_${dtype}`)],
    },
    'float',
    x,
  )

/** A whole number, limited to the indices of `size` elements. */
export const within = (i: Expr, size: number): Expr => where(i.lt(0), whole(0), where(i.ge(size), whole(size - 1), i))

/** True if a number is NaN and the other is not, or the comparison holds. */
const ahead = (sign: '<' | '>', compare: (a: number, b: number) => boolean) =>
  test(
    `((nan_at($1) == U32(0u)) & ((nan_at($0) == U32(1u)) | (order($0) ${sign} order($1))))`,
    (a, b) => !Number.isNaN(b) && (Number.isNaN(a) || compare(a!, b!)),
    WGSL_NAN,
    WGSL_ORDER,
  )

export const exceeds = ahead('>', (a, b) => a > b)

export const precedes = ahead('<', (a, b) => a < b)

/** `value`, or NaN if an operand is NaN. */
const keepNan = (value: string): string =>
  `bitcast<F32>(select(bitcast<U32>(${value}), U32(0x7fc00000u), (nan_at($0) | nan_at($1)) != U32(0u)))`

/** The larger value; on a tie the first, because torch keeps the sign of a zero. NaN if either is NaN. */
export const larger = fn(
  keepNan('select($0, $1, order($0) < order($1))'),
  (a, b) => (Number.isNaN(a) || a! >= b! ? a! : b!),
  WGSL_NAN,
  WGSL_ORDER,
)

export const smaller = fn(
  keepNan('select($0, $1, order($0) > order($1))'),
  (a, b) => (Number.isNaN(a) || a! <= b! ? a! : b!),
  WGSL_NAN,
  WGSL_ORDER,
)

export const exp = fn('exp($0)', (x) => Math.exp(x!))

export const log = fn('log($0)', (x) => Math.log(x!))

export const sqrt = fn('sqrt($0)', (x) => Math.sqrt(x!))

export const negative = fn('bitcast<F32>(bitcast<U32>($0) ^ U32(0x80000000u))', (x) => -x!)

export const magnitude = fn('bitcast<F32>(bitcast<U32>($0) & U32(0x7fffffffu))', (x) => Math.abs(x!))

export const isnan = test('(nan_at($0) == U32(1u))', (x) => Number.isNaN(x!), WGSL_NAN)

export const isfinite = test('((bitcast<U32>($0) & U32(0x7fffffffu)) < U32(0x7f800000u))', (x) => Number.isFinite(x))

export const erf = fn('erf($0)', erfOf, WGSL_ERF)

export const silu = fn('silu($0)', siluOf, EXP, SILU)

/** 0.5 * x * (1 + erf(x / sqrt(2))). */
export const gelu = (x: Expr): Expr =>
  number(0.5)
    .times(x)
    .times(number(1).plus(erf(x.times(Math.SQRT1_2))))

export const geluTanh = fn(
  'gelu_tanh($0)',
  (x) => 0.5 * x! * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x! + 0.044715 * x! ** 3))),
  WGSL_GELU_TANH,
)
