/** Operators such as view_copy: copies of the view with that name. */
import { isFake, itemsOf, type DispatchArg, type FakeTensor } from './fake'
import type { OpSchema } from './schema'
import { contiguousStrides } from './strides'
import type { TensorMeta } from '../fx'

const COPY = /^(aten\.\w+)_copy(\.\w+)$/

/** `aten.view.default` for the schema of view_copy; null for an operator that does not copy a view. */
export function viewBehind(schema: OpSchema, schemaOf: (name: string) => OpSchema | null): OpSchema | null {
  const [, packet, overload] = COPY.exec(schema.name) ?? []
  if (!packet || schema.mutable) return null
  const view = schemaOf(`${packet}${overload}`)
  return view && view.returns.every((r) => r.alias !== null && !r.write) && sameArguments(view, schema) ? view : null
}

const sameArguments = (a: OpSchema, b: OpSchema): boolean =>
  a.args.length === b.args.length && a.args.every((arg, i) => arg.name === b.args[i]!.name)

/** The value of a view, or its values, each contiguous in separate memory. */
export function copied(view: DispatchArg, fresh: (meta: TensorMeta) => FakeTensor): DispatchArg {
  if (isFake(view)) {
    const { storageOffset: _, ...meta } = view.meta
    return fresh({ ...meta, stride: contiguousStrides(meta.shape) })
  }
  return itemsOf(view)?.map((item) => copied(item, fresh)) ?? view
}
