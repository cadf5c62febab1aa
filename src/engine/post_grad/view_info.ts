/**
 * View info of auto_functionalized_v2: describes an argument as a view of a base
 * (torch/_higher_order_ops/auto_functionalize.py).
 */
import type { DispatchArg } from '../../ops/fake'
import { toDim } from '../../ops/fake'
import type { Tracer } from '../../trace/types'

/** Rebuilds the argument from the new bases. */
export type Regenerate = (bases: readonly DispatchArg[], tracer: Tracer) => DispatchArg

/** Reads the keywords about `name`, and removes them. */
export function regenerate(name: string, kwargs: Map<string, DispatchArg>): Regenerate {
  const length = `_${name}_length`
  if (!kwargs.has(length)) return single(`_${name}`, kwargs)
  const count = take(kwargs, length)
  if (count === null) return () => null
  const items = Array.from({ length: Number(toDim(count)) }, (_, i) => single(`_${name}_${i}`, kwargs))
  return (bases, tracer) => items.map((item) => item(bases, tracer))
}

function single(prefix: string, kwargs: Map<string, DispatchArg>): Regenerate {
  const index = take(kwargs, `${prefix}_base_index`)
  if (index === null) return () => null
  const base = (bases: readonly DispatchArg[]): DispatchArg => bases[Number(toDim(index))] ?? null
  const view =
    (target: string, ...args: DispatchArg[]): Regenerate =>
    (bases, tracer) =>
      tracer.call(target, [base(bases), ...args], new Map())
  const has = (part: string): boolean => kwargs.has(`${prefix}_${part}`)
  const part = (name: string): DispatchArg => take(kwargs, `${prefix}_${name}`)
  if (has('alias')) {
    part('alias')
    return view('aten.alias.default')
  }
  if (has('storage_offset'))
    return view('aten.as_strided.default', part('size'), part('stride'), part('storage_offset'))
  if (has('slice_dim')) return view('aten.slice.Tensor', part('slice_dim'), part('slice_start'), part('slice_end'))
  return base
}

function take(kwargs: Map<string, DispatchArg>, key: string): DispatchArg {
  const value = kwargs.get(key) ?? null
  kwargs.delete(key)
  return value
}
