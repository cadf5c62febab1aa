/** The basic operations of expressions: each in WGSL and in JavaScript. */

/** Values of some elements on the CPU. */
export type Lanes = Float64Array

export type Loop = (out: Lanes, n: number, a: Lanes, b: Lanes, c: Lanes) => void

/** An operation that both devices have. */
export interface Primitive {
  /** WGSL of the lane types F32, U32 and I32 (see `lanes`), with `$0`, `$1`, … for the arguments. */
  readonly wgsl: string
  readonly js: (...x: number[]) => number
  /** `js` for many elements, where speed matters: a call per element is not inlined, because the callee varies. */
  readonly loop?: Loop
  /** This operation combined with rounding to float32. */
  readonly f32?: Primitive
  /** WGSL functions that `wgsl` calls. */
  readonly helpers: readonly string[]
}

export const primitive = (wgsl: string, js: Primitive['js'], loop?: Loop): Primitive => ({
  wgsl,
  js,
  helpers: [],
  ...(loop && { loop }),
})

/** An operation with a loop for its result, and another loop for the result rounded to float32. */
const arithmetic = (wgsl: string, js: Primitive['js'], loop: Loop, rounded: Loop): Primitive => ({
  ...primitive(wgsl, js, loop),
  f32: primitive(wgsl, (a, b) => Math.fround(js(a!, b!)), rounded),
})

export const ADD = arithmetic(
  '($0 + $1)',
  (a, b) => a! + b!,
  (out, n, a, b) => {
    for (let k = 0; k < n; k++) out[k] = a[k]! + b[k]!
  },
  (out, n, a, b) => {
    for (let k = 0; k < n; k++) out[k] = Math.fround(a[k]! + b[k]!)
  },
)
export const SUBTRACT = arithmetic(
  '($0 - $1)',
  (a, b) => a! - b!,
  (out, n, a, b) => {
    for (let k = 0; k < n; k++) out[k] = a[k]! - b[k]!
  },
  (out, n, a, b) => {
    for (let k = 0; k < n; k++) out[k] = Math.fround(a[k]! - b[k]!)
  },
)
export const MULTIPLY = arithmetic(
  '($0 * $1)',
  (a, b) => a! * b!,
  (out, n, a, b) => {
    for (let k = 0; k < n; k++) out[k] = a[k]! * b[k]!
  },
  (out, n, a, b) => {
    for (let k = 0; k < n; k++) out[k] = Math.fround(a[k]! * b[k]!)
  },
)
export const DIVIDE = arithmetic(
  '($0 / $1)',
  (a, b) => a! / b!,
  (out, n, a, b) => {
    for (let k = 0; k < n; k++) out[k] = a[k]! / b[k]!
  },
  (out, n, a, b) => {
    for (let k = 0; k < n; k++) out[k] = Math.fround(a[k]! / b[k]!)
  },
)
export const QUOTIENT = primitive('($0 / $1)', (a, b) => Math.trunc(a! / b!))
export const REST = primitive('($0 % $1)', (a, b) => a! % b!)
export const AND = primitive('($0 & $1)', (a, b) => a! & b!)
export const OR = primitive('($0 | $1)', (a, b) => a! | b!)
export const NOT = primitive('!$0', (a) => 1 - a!)
export const WHERE = primitive(
  'select($2, $1, $0)',
  (c, a, b) => (c ? a! : b!),
  (out, n, a, b, c) => {
    for (let k = 0; k < n; k++) out[k] = a[k] ? b[k]! : c[k]!
  },
)
export const TO_WHOLE = primitive('I32($0)', (a) => Math.trunc(a!))
export const TO_FLOAT = primitive('F32($0)', (a) => a!)
export const F32 = primitive(
  '$0',
  (a) => Math.fround(a!),
  (out, n, a) => {
    for (let k = 0; k < n; k++) out[k] = Math.fround(a[k]!)
  },
)

/** Computed on the bits, because an implementation may assume that no NaN occurs. */
export const WGSL_NAN =
  'fn nan_at(x: F32) -> U32 { return select(U32(0u), U32(1u), (bitcast<U32>(x) & U32(0x7fffffffu)) > U32(0x7f800000u)); }'

/**
 * Maps a float to an integer with the same order: both zeros at 0, NaN beyond the infinities. Computed on the bits,
 * because comparisons may flush float32 subnormals, and so bfloat16's, to zero.
 */
export const WGSL_ORDER = `fn order(x: F32) -> I32 {
  let b = bitcast<I32>(x);
  return select(b, I32(-2147483647 - 1) - b, b < I32(0));
}`

export const TRUTH: Primitive = {
  wgsl: '(order($0) != I32(0))',
  js: (a) => Number(a !== 0),
  helpers: [WGSL_ORDER],
}

export const COMPARISONS = {
  '==': (a: number, b: number) => Number(a === b),
  '<': (a: number, b: number) => Number(a < b),
  '<=': (a: number, b: number) => Number(a <= b),
  '>': (a: number, b: number) => Number(a > b),
  '>=': (a: number, b: number) => Number(a >= b),
}
