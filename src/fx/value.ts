/**
 * The values an FX node's arguments hold, as Python has them. One JS type for one Python type, so that nothing is
 * lost between `1` and `1.0` or between `[1]` and `(1,)`:
 *
 *   int → bigint   float → number   bool → boolean   None → null   str → string   list → Array   tuple → Tuple
 *
 * The rest are small frozen objects told apart by `kind`. Those that hold other arguments (Tuple, Dict, Slice), Node
 * and the union of all, Arg, are in src/fx/graph/node.ts.
 */

/** `name` as in torch, without `torch.`: `bfloat16`, `float8_e4m3fn`. */
export interface DType {
  readonly kind: 'dtype'
  readonly name: string
}
export interface Device {
  readonly kind: 'device'
  readonly type: string
  readonly index: number | null
}
/** `strided`, `jagged`, … */
export interface Layout {
  readonly kind: 'layout'
  readonly name: string
}
/** `contiguous_format`, `preserve_format`, `channels_last`, … */
export interface MemoryFormat {
  readonly kind: 'memory_format'
  readonly name: string
}
/** An operator as an argument (auto_functionalized's first), named like a node's target: `_C.rms_norm.default`. */
export interface OpRef {
  readonly kind: 'op'
  readonly name: string
}
export interface Complex {
  readonly kind: 'complex'
  readonly re: number
  readonly im: number
}
/** A symbolic int/float/bool as sympy prints it: `s72`, `2*s72`, `Max(1, u0)`. */
export interface SymExpr {
  readonly kind: 'sym'
  readonly expr: string
  /** During a trace: the result that holds it. Two results with one expression are different nodes. */
  readonly result?: number
}
export interface EllipsisValue {
  readonly kind: 'ellipsis'
}
/** Text that is kept and printed without interpretation. */
export interface Opaque {
  readonly kind: 'opaque'
  readonly text: string
  /** The number of a Python object that user code put into a graph (src/python). */
  readonly object?: number
}

/** True for a value of this kind, such as `isKind(arg, 'op')`. */
export const isKind = <T, K extends string>(value: T, kind: K): value is Extract<T, { readonly kind: K }> =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind

export const dtype = (name: string): DType => ({ kind: 'dtype', name })
export const device = (type: string, index: number | null = null): Device => ({ kind: 'device', type, index })
export const layout = (name: string): Layout => ({ kind: 'layout', name })
export const memoryFormat = (name: string): MemoryFormat => ({ kind: 'memory_format', name })
export const opRef = (name: string): OpRef => ({ kind: 'op', name })
export const sym = (expr: string): SymExpr => ({ kind: 'sym', expr })
export const ELLIPSIS: EllipsisValue = { kind: 'ellipsis' }

/** One dimension, stride or offset: a number, or a symbolic expression as sympy prints it (`s72*4096`). */
export type Dim = number | string

/** Metadata of a tensor; FX's `meta['val']` when that is one FakeTensor. */
export interface TensorMeta {
  readonly kind: 'tensor'
  readonly dtype: string
  readonly shape: readonly Dim[]
  /** In elements. Null if the dump omits it. */
  readonly stride: readonly Dim[] | null
  readonly device: Device | null
  readonly storageOffset?: Dim
  readonly requiresGrad?: boolean
}

/**
 * `meta['val']`: a tensor, a symbolic or plain scalar, or several vals: the results of an operator with several outputs, or a
 * Python list (`list`) or dict (`keys`) as an argument.
 */
export type Val =
  | TensorMeta
  | { readonly kind: 'scalar'; readonly value: bigint | number | boolean | SymExpr | null }
  | {
      readonly kind: 'vals'
      readonly items: readonly (Val | null)[]
      readonly list?: boolean
      readonly keys?: readonly string[]
      /** The text shows only the used outputs; more may follow. */
      readonly partial?: boolean
    }

/** The values of a constant tensor, nested like `tolist()`: one value for a scalar tensor. */
export type ConstantValues = number | bigint | boolean | readonly ConstantValues[]

/** `repr` of a fake tensor. */
export function fakeRepr({ dtype, shape, device, requiresGrad }: TensorMeta): string {
  const on = device && device.type !== 'cpu' ? `, device='${device.type}:${device.index ?? 0}'` : ''
  const type = dtype === 'float32' ? '' : `, dtype=torch.${dtype}`
  const grad = requiresGrad ? ', requires_grad=True' : ''
  return `FakeTensor(...${on}, size=(${shape.join(', ')}${shape.length === 1 ? ',' : ''})${type}${grad})`
}
