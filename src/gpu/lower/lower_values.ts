/** Values of a program during lowering, and the steps that lowering emits. */
import type { TensorMeta } from '../../fx'
import { dtypeInfo, type DTypeName } from '../../ops/dtype'
import { numel, type AttrValue, type Kernel, type KernelCall, type OutSpec, type TensorView } from '../../ops/kernel'
import { contiguousStrides } from '../../ops/strides'
import type { Symbols } from './symbols'

/** The reason why a program cannot run, as a sentence for the report. */
export class CannotRun extends Error {
  /** The responsible node, if there is one. */
  node?: string

  /** @param reason the message after the colon  @param failed the part before it */
  constructor(
    readonly reason: string,
    failed = 'cannot run',
  ) {
    super(`${failed}: ${reason}`)
  }
}

/** An operator that no kernel implements. */
export class MissingKernel extends CannotRun {
  /** @param untraced the reason why the body of a user-defined operator cannot be used instead, if it has one */
  constructor(
    readonly operator: string,
    readonly untraced?: string,
  ) {
    super(`no kernel for ${operator}${untraced === undefined ? '' : `, and ${untraced}`}`)
  }
}

export interface Slot {
  bytes: number
  /** Name of the program input in it; its constant fill value; or null if a step writes it before it is read. */
  init: { input: string } | { fill: number; dtype: DTypeName } | null
}

export interface Located {
  slot: number
  view: TensorView
}

export interface Step {
  node: string
  target: string
  kernel: Kernel
  call: KernelCall
  slots: Readonly<Record<string, number>>
  bytesRead: number
  bytesWritten: number
}

export interface Lowered {
  slots: Slot[]
  steps: Step[]
  inputs: { name: string; at: Located }[]
  outputs: { name: string; at: Located }[]
  notes: string[]
}

/** A tensor from `empty` that is not yet written: it gets storage when an operator fills it. */
export interface Unwritten {
  fresh: TensorView
  /** For a view: the tensor from `empty`. */
  root?: Unwritten
}
export type Value =
  | Located
  | Unwritten
  | AttrValue
  | { items: Value[] }
  | { op: string }
  | { dtype: string }
  | { opaque: string }

export const isTensor = (v: Value): v is Located => typeof v === 'object' && v !== null && 'slot' in v
export const isFresh = (v: Value): v is Unwritten => typeof v === 'object' && v !== null && 'fresh' in v
export const isItems = (v: Value): v is { items: Value[] } => typeof v === 'object' && v !== null && 'items' in v

/** The tensor's shape and strides as numbers. Throws CannotRun for an unsupported dtype or an unknown size. */
export function viewOf(name: string, meta: TensorMeta, symbols: Symbols): TensorView {
  const dtype = dtypeInfo(meta.dtype)
  if (!dtype) throw new CannotRun(`the dtype ${meta.dtype} of ${name} is not supported`)
  const number = (d: number | string): number => {
    const n = symbols.resolve(d)
    if (n === null) throw new CannotRun(`the size ${d} of ${name} cannot be computed`)
    return n
  }
  const shape = meta.shape.map(number)
  return { dtype: dtype.name, shape, stride: meta.stride?.map(number) ?? contiguousStrides(shape), offset: 0 }
}

/** Dense strides for `shape` in the memory order of `stride`. */
export function denseLike(stride: readonly number[], shape: readonly number[]): number[] {
  if (stride.length !== shape.length) return contiguousStrides(shape)
  const order = stride.map((_, i) => i).sort((a, b) => stride[b]! - stride[a]! || a - b)
  const dense = new Array<number>(shape.length)
  let s = 1
  for (const d of order.reverse()) {
    dense[d] = s
    s *= Math.max(1, shape[d]!)
  }
  return dense
}

/** Flattens [tokens, heads, d] to [tokens, heads * d] for a parameter of `rank` dimensions. */
export function flattened(spec: OutSpec, rank: number): OutSpec {
  if (rank >= spec.shape.length) return spec
  return { ...spec, shape: [...spec.shape.slice(0, rank - 1), numel(spec.shape.slice(rank - 1))] }
}

/** A value as an attribute; undefined for tensors and operators. Values without effect on a run become null. */
export function plain(v: Value): AttrValue | undefined {
  if (typeof v !== 'object' || v === null) return v
  if ('dtype' in v) return v.dtype
  if ('opaque' in v) return null
  if (!isItems(v)) return undefined
  const list = v.items.map(plain)
  return list.every((x) => x !== undefined) ? list : undefined
}

export const withoutOptions = (kwargs: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(kwargs).filter(([k]) => !['layout', 'pin_memory'].includes(k)))

/** Python's arithmetic on sizes: `operator.mul(s, 4)`. */
export function arithmetic(target: string, args: Value[]): number | null {
  const [a, b] = args
  if (!target.startsWith('operator.') || typeof a !== 'number' || typeof b !== 'number') return null
  switch (target) {
    case 'operator.add':
      return a + b
    case 'operator.sub':
      return a - b
    case 'operator.mul':
      return a * b
    case 'operator.floordiv':
      return Math.floor(a / b)
    case 'operator.mod':
      return ((a % b) + b) % b
    default:
      return null
  }
}
