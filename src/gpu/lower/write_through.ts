/** Makes a write visible under every name of its storage: the tensor's views, and the tensor that it is a view of. */
import { DTYPES } from '../../ops/dtype'
import { numel, type TensorView } from '../../ops/kernel'
import { isFresh, isItems, isTensor, type Located, type Unwritten, type Value } from './lower_values'
import type { Lowers } from './lowers'
import type { RunNode } from '../types'

/** Values by name; a name in `frozen` keeps its value when the storage is written. */
export interface Names {
  readonly values: Map<string, Value>
  readonly frozen: ReadonlySet<string>
}

/**
 * `name` has been written; `value` is its new content, in separate storage. Names with the same view take the value. For other
 * views of the storage, the storage is copied with the written part replaced.
 */
export function writeThrough(on: Lowers, node: RunNode, { values, frozen }: Names, name: string, value: Value): void {
  const old = values.get(name)
  if (old === undefined || !isStored(old) || !isTensor(value) || String(shapeOf(old)) !== String(value.view.shape)) {
    values.set(name, value)
    return
  }
  const storage = storageOf(old)
  const others = [...values].filter(([n, v]) => n !== name && !frozen.has(n) && holds(v, storage))
  const update = (made: (v: Located | Unwritten) => Value): void => {
    for (const [n, v] of [...others, [name, old] as const]) values.set(n, mapped(v, storage, made))
  }
  if (others.every(([, v]) => leaves(v, storage).every((leaf) => sameView(viewOf(leaf), viewOf(old)))))
    update(() => value)
  else {
    const slot = merged(on, node, old, value)
    update((v) => ({ slot, view: viewOf(v) }))
  }
}

/** A copy of the storage of `old`, with `value` at the place of `old`. */
function merged(on: Lowers, node: RunNode, old: Located | Unwritten, value: Located): number {
  const view = viewOf(old)
  if (!isTensor(old)) {
    const whole = viewOf(old.root ?? old)
    const slot = on.slot(whole, { fill: 0, dtype: whole.dtype })
    on.copied(node, value, { slot, view })
    return slot
  }
  const elements = Math.floor(on.bytes(old.slot) / DTYPES[view.dtype].bytes)
  const whole: TensorView = { dtype: view.dtype, shape: [elements], stride: [1], offset: 0 }
  const slot = on.slot(whole, null)
  if (numel(view.shape) < elements) on.copied(node, { slot: old.slot, view: whole }, { slot, view: whole })
  on.copied(node, value, { slot, view })
  return slot
}

const isStored = (v: Value): v is Located | Unwritten => isTensor(v) || isFresh(v)
const viewOf = (v: Located | Unwritten): TensorView => (isTensor(v) ? v.view : v.fresh)
const shapeOf = (v: Located | Unwritten): readonly number[] => viewOf(v).shape

/** Identity of a storage: its slot, or the unwritten tensor that the others are views of. */
const storageOf = (v: Located | Unwritten): unknown => (isTensor(v) ? v.slot : (v.root ?? v))

function leaves(v: Value, storage: unknown): (Located | Unwritten)[] {
  if (isItems(v)) return v.items.flatMap((x) => leaves(x, storage))
  return isStored(v) && storageOf(v) === storage ? [v] : []
}

const holds = (v: Value, storage: unknown): boolean => leaves(v, storage).length > 0

function mapped(v: Value, storage: unknown, made: (v: Located | Unwritten) => Value): Value {
  if (isItems(v)) return { items: v.items.map((x) => mapped(x, storage, made)) }
  return isStored(v) && storageOf(v) === storage ? made(v) : v
}

const sameView = (a: TensorView, b: TensorView): boolean =>
  a.dtype === b.dtype &&
  a.offset === b.offset &&
  String(a.shape) === String(b.shape) &&
  a.stride.every((s, d) => s === b.stride[d] || a.shape[d]! < 2)
