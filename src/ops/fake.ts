import type { Arg, Dim, SymExpr, TensorMeta } from '../fx'
import { sym } from '../fx'
import { TorchError } from './torch_error'

/** A fake tensor in Python: metadata, and its node in the current trace (if any). */
export interface FakeTensor {
  readonly kind: 'fake'
  readonly id: number
  readonly meta: TensorMeta
  /** Id of the storage: a view has its base's. */
  readonly storage: number
  /** A lazy view: its elements are conjugated, or negated, when they are read. */
  readonly conj?: boolean
  readonly neg?: boolean
  /** Zeros without a node (aten._efficientzerotensor): the tangent of a value that depends on no input. */
  readonly zero?: boolean
  /** In torch.vmap: the tensor that has the batch as one of its dimensions; `meta` excludes it. */
  readonly batch?: { readonly value: FakeTensor; readonly dim: number; readonly level: number }
  /**
   * In a derivative of torch.func: the tensor below that level, the level, and in jvp the tangent (null if it does not depend on
   * the inputs). `by` follows the level's calls.
   */
  readonly lifted?: {
    readonly value: FakeTensor
    readonly level: number
    readonly by: object
    readonly tangent?: FakeTensor | null
  }
  /**
   * In a trace: `result` of each symbolic dimension. PyTorch finds a size's node by the SymInt object: equal sizes of two inputs
   * are two nodes.
   */
  sizes?: readonly (number | undefined)[]
}

/** An operator's argument: an `Arg` in which a FakeTensor may replace a Node. */
export type DispatchArg =
  | Exclude<Arg, readonly Arg[]>
  | FakeTensor
  | readonly DispatchArg[]
  | DispatchTuple
  | DispatchDict
export interface DispatchTuple {
  readonly kind: 'tuple'
  readonly items: readonly DispatchArg[]
  /** The class of a named tuple that a traced function returns, with its module. */
  readonly named?: string
}
export interface DispatchDict {
  readonly kind: 'dict'
  readonly entries: ReadonlyMap<string, DispatchArg>
}

const kindOf = (a: DispatchArg | undefined): string | null =>
  typeof a === 'object' && a !== null && 'kind' in a ? (a as { kind: string }).kind : null

export const isFake = (a: DispatchArg | undefined): a is FakeTensor => kindOf(a) === 'fake'
export const isSym = (a: DispatchArg | undefined): a is SymExpr => kindOf(a) === 'sym'
export const isTuple = (a: DispatchArg | undefined): a is DispatchTuple => kindOf(a) === 'tuple'
export const isDict = (a: DispatchArg | undefined): a is DispatchDict => kindOf(a) === 'dict'
export const isKind = (a: DispatchArg | undefined, kind: string): boolean => kindOf(a) === kind
export const isNumber = (a: DispatchArg | undefined): a is bigint | number | boolean =>
  typeof a === 'bigint' || typeof a === 'number' || typeof a === 'boolean'

export const shapeOf = (t: FakeTensor): readonly Dim[] => t.meta.shape
export const rankOf = (t: FakeTensor): number => t.meta.shape.length

/** The items of a list or tuple; null for anything else. */
export function itemsOf(a: DispatchArg | undefined): readonly DispatchArg[] | null {
  if (Array.isArray(a)) return a as readonly DispatchArg[]
  return isTuple(a) ? a.items : null
}

/**
 * A dimension from an argument.
 * @throws TorchError TypeError if it is not an int
 */
export function toDim(a: DispatchArg | undefined): Dim {
  if (typeof a === 'bigint') return Number(a)
  if (typeof a === 'boolean') return a ? 1 : 0
  if (typeof a === 'number' && Number.isInteger(a)) return a
  if (isSym(a)) return /^-?\d+$/.test(a.expr) ? Number(a.expr) : a.expr
  throw new TorchError('TypeError', `expected an int, but got ${describe(a)}`)
}

/** A dimension of a tensor as an argument, keeping object identity. */
export function sizeArg(t: FakeTensor, dim: number): bigint | SymExpr {
  const size = dimArg(t.meta.shape[dim]!)
  const result = t.sizes?.[dim]
  return typeof size === 'bigint' || result === undefined ? size : { ...size, result }
}

/** A dimension as an argument. */
export const dimArg = (d: Dim): bigint | SymExpr => (typeof d === 'number' ? BigInt(Math.trunc(d)) : sym(d))
export const dimArgs = (ds: readonly Dim[]): (bigint | SymExpr)[] => ds.map(dimArg)

/** The Python type of a value, for messages: `float`, `Tensor`, `list`. */
export function describe(a: DispatchArg | undefined): string {
  if (a === null || a === undefined) return 'NoneType'
  if (typeof a === 'bigint') return 'int'
  if (typeof a === 'number') return 'float'
  if (typeof a === 'boolean') return 'bool'
  if (typeof a === 'string') return 'str'
  if (Array.isArray(a)) return 'list'
  const kind = kindOf(a)
  if (kind === 'fake') return 'Tensor'
  if (kind === 'sym') return 'SymInt'
  return kind ?? 'object'
}

/** Each fake tensor inside an argument, in order. */
export function visitFakes(a: DispatchArg | undefined, fn: (t: FakeTensor) => void): void {
  if (isFake(a)) fn(a)
  else if (isDict(a)) for (const v of a.entries.values()) visitFakes(v, fn)
  else for (const v of itemsOf(a) ?? []) visitFakes(v, fn)
}
