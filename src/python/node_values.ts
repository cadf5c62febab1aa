/** Converts values between node arguments, node metadata and Python. */
import { type Arg, type Val, isKind } from '../fx'
import { TorchError, type DispatchArg } from '../trace/types'
import type { Json } from './wire'

/** A node argument: nodes and constants. @throws TorchError for a tensor */
export function withoutTensors(value: DispatchArg): Arg {
  if (Array.isArray(value)) (value as readonly DispatchArg[]).forEach(withoutTensors)
  else if (value !== null && typeof value === 'object' && 'kind' in value) {
    if (value.kind === 'fake')
      throw new TorchError(
        'NotImplementedError',
        'Fusescope cannot put a tensor into a graph: pass nodes and constants',
      )
    if (value.kind === 'tuple') (value.items as readonly DispatchArg[]).forEach(withoutTensors)
  }
  return value as Arg
}

/** Metadata of a fake tensor, or of several. */
export function valOf(arg: DispatchArg): Val | null {
  if (Array.isArray(arg)) return { kind: 'vals', items: (arg as readonly DispatchArg[]).map(valOf), list: true }
  if (typeof arg === 'object' && arg !== null && 'kind' in arg) {
    if (arg.kind === 'fake') return arg.meta
    if (arg.kind === 'tuple') return { kind: 'vals', items: (arg.items as readonly DispatchArg[]).map(valOf) }
    if (arg.kind === 'sym') return { kind: 'scalar', value: arg }
    return null
  }
  return typeof arg === 'string' ? null : { kind: 'scalar', value: arg as bigint | number | boolean | null }
}

/** Encodes plain JSON data (node.meta["custom"]) as a Python dict. */
export function toDict(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toDict)
  if (typeof value === 'number' && !Number.isInteger(value)) return { f: value }
  if (value !== null && typeof value === 'object') return { d: Object.entries(value).map(([k, v]) => [k, toDict(v)]) }
  return (value ?? null) as Json
}

/** Plain JSON data from a Python value. */
export function plainJson(arg: DispatchArg): unknown {
  if (typeof arg === 'bigint') return Number(arg)
  if (Array.isArray(arg)) return (arg as readonly DispatchArg[]).map(plainJson)
  if (isKind(arg, 'dict'))
    return Object.fromEntries([...(arg.entries as ReadonlyMap<string, DispatchArg>)].map(([k, v]) => [k, plainJson(v)]))
  return arg
}
