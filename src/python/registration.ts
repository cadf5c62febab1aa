/** Decodes the data of register_replacement from JSON. */
import { type Arg, type ConstantValues, type SourceRef, type SourceSpan, type Val, isKind } from '../fx'
import type { GraphRegistration, PatternArgData, PatternData, Registration, RegistrationFacts } from '../matcher/types'
import type { DispatchArg } from '../trace/types'
import type { Json } from './wire'

export type SourceLocation = [file: string, line: number, fn: string, spans?: SourceSpan[]]

export const sourceRef = (place: SourceLocation | null): SourceRef | undefined =>
  place ? { file: place[0], line: place[1], fn: place[2], ...(place[3] ? { spans: place[3] } : {}) } : undefined

/** A line of user code. */
export type Frame = [file: string, line: number, fn: string | null, code: string | null]

export const sourceOfFrame = ([file, line, fn, code]: Frame): SourceRef => ({
  file,
  line,
  ...(fn === null ? {} : { fn }),
  ...(code ? { code } : {}),
})

/** The data of src/python/lib/_fusescope/registrations/bindings.py, with the source location. */
interface FactsJson extends Omit<RegistrationFacts, 'source'> {
  source: SourceLocation | null
}

/** A search as Python sends it (searches.py). */
export interface SearchJson extends FactsJson {
  search: number | null
  ignoreLiterals: boolean
  /** Modules of the pattern and of the graph. */
  classes: [ofPattern: [path: string, cls: string][], ofGraph: [path: string, cls: string][]]
  found: [pairs: [string, string | null, string][], outputs: string[], dropped: 'overlap' | 'cycle' | null][]
}

/** joint_fwd_bwd, or the number of a user-defined trace_fn. */
export type TraceFn = 'joint_fwd_bwd' | number

export interface RegistrationJson extends FactsJson {
  /** The number of a user-defined trace_fn, which the host runs; null for fwd_only. */
  traceFn: TraceFn | null
  /** The number of the table of get_decomp_fn; null for Inductor's own. */
  decompositions: number | null
  search: number
  searchIsBound: boolean
  searchIsWrapped: boolean
  replace: number
  argNames: string[]
  replaceArgNames?: string[] | null
  exampleInputs: Json[]
  extraCheck: number | null
  scalarWorkaround: [string, Json][] | null
  exclusiveArgNames: string[]
  searchFnPattern: Json
  pretraced: boolean
  skipDuplicates: boolean
}

export function readRegistration(json: RegistrationJson, decode: (data: Json) => DispatchArg): Registration {
  const { traceFn: _traceFn, decompositions: _table, ...rest } = json
  return {
    ...rest,
    exampleInputs: json.exampleInputs.map((d) => valOf(decode(d))),
    exampleIds: json.exampleInputs.flatMap(tensorIds),
    scalarWorkaround:
      json.scalarWorkaround &&
      new Map(json.scalarWorkaround.map(([k, v]) => [k, decode(v) as bigint | number | boolean])),
    searchFnPattern: json.searchFnPattern === null ? null : patternData(json.searchFnPattern as Tagged, decode),
    source: sourceRef(json.source) ?? null,
  }
}

export interface GraphRegistrationJson extends FactsJson {
  pattern: Json
  extraCheck: number | null
  handler: number
  prepend: boolean
}

export function readGraphRegistration(
  json: GraphRegistrationJson,
  decode: (data: Json) => DispatchArg,
): GraphRegistration {
  return {
    ...json,
    pattern: patternData(json.pattern as Tagged, decode),
    source: sourceRef(json.source) ?? null,
  }
}

/** The leaves of an example input, a tensor by its number. */
function tensorIds(data: Json): (number | null)[] {
  if (Array.isArray(data)) return data.flatMap(tensorIds)
  if (data !== null && typeof data === 'object') {
    if ('x' in data) return [data.x as number]
    if ('t' in data) return (data.t as Json[]).flatMap(tensorIds)
    if ('d' in data) return (data.d as [string, Json][]).flatMap(([, v]) => tensorIds(v))
  }
  return [null]
}

/** An example input's metadata; scalars by value. */
function valOf(arg: DispatchArg): Val {
  if (Array.isArray(arg)) return { kind: 'vals', items: (arg as readonly DispatchArg[]).map(valOf), list: true }
  if (typeof arg === 'object' && arg !== null && 'kind' in arg) {
    if (arg.kind === 'fake') return arg.meta
    if (arg.kind === 'tuple') return { kind: 'vals', items: (arg.items as readonly DispatchArg[]).map(valOf) }
    if (arg.kind === 'dict') {
      const entries = [...(arg.entries as ReadonlyMap<string, DispatchArg>)]
      return { kind: 'vals', items: entries.map(([, v]) => valOf(v)), keys: entries.map(([k]) => k) }
    }
    if (arg.kind === 'sym') return { kind: 'scalar', value: arg }
  }
  const plain = typeof arg === 'bigint' || typeof arg === 'number' || typeof arg === 'boolean'
  return { kind: 'scalar', value: plain ? arg : null }
}

const plain = (v: DispatchArg): ConstantValues =>
  Array.isArray(v) ? (v as readonly DispatchArg[]).map(plain) : (v as ConstantValues)

export type Tagged = { [key: string]: Json }

export function patternData(data: Tagged, decode: (data: Json) => DispatchArg): PatternData {
  const inner = (d: Json): PatternData => patternData(d as Tagged, decode)
  const arg = (d: Json): PatternArgData => patternArg(d as Tagged, decode)
  if ('pattern' in data) return { ...data, pattern: inner(data.pattern!) } as unknown as PatternData
  if ('outputs' in data)
    return { ...data, outputs: (data.outputs as Json[]).map((o) => o && inner(o)) } as unknown as PatternData
  if (data.expr === 'GetAttr') {
    const value = decode(data.value ?? null)
    const fake = isKind(value, 'fake') ? value : null
    const constant = data.constant === undefined ? null : plain(decode(data.constant))
    return { ...data, value: fake && fake.meta, constant } as unknown as PatternData
  }
  if (!('args' in data)) return data as unknown as PatternData
  return {
    ...data,
    args: (data.args as Json[]).map(arg),
    kwargs: (data.kwargs as [string, Json][]).map(([k, v]) => [k, arg(v)]),
  } as unknown as PatternData
}

function patternArg(data: Tagged, decode: (data: Json) => DispatchArg): PatternArgData {
  const inner = (d: Json): PatternArgData => patternArg(d as Tagged, decode)
  if ('pattern' in data) return { pattern: patternData(data.pattern as Tagged, decode) }
  if ('list' in data) return { list: (data.list as Json[]).map(inner) }
  if ('tuple' in data) return { tuple: (data.tuple as Json[]).map(inner) }
  if ('dict' in data) return { dict: (data.dict as [string, Json][]).map(([k, v]) => [k, inner(v)]) }
  return { value: decode(data.value ?? null) as Arg }
}
