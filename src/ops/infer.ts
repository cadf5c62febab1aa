/** Infers the schema of an undeclared operator from a call. The report marks it as inferred. */
import { isFake, isSym, itemsOf, type DispatchArg } from './fake'
import type { OpSchema, SchemaArg, SchemaType } from './schema'

/** Names that kernels commonly give to their outputs. */
const OUTPUTS = /^(?:out|output|result|results|residual|scales?|dst|y)(?:_|\d|$)|_out$|_output$/

/**
 * @param mutates the call goes through auto_functionalized: the operator writes to some argument and returns nothing
 */
export function inferSchema(
  target: string,
  args: readonly DispatchArg[],
  kwargs: ReadonlyMap<string, DispatchArg>,
  mutates = false,
): OpSchema {
  const named = [...args.map((v, i): [string, DispatchArg] => [`arg${i}`, v]), ...kwargs].filter(
    ([k]) => !k.startsWith('_'),
  )
  const tensors = named.filter(([, v]) => isFake(v)).map(([k]) => k)
  const likely = tensors.filter((k) => OUTPUTS.test(k))
  const written = new Set(mutates ? (likely.length > 0 ? likely : tensors.slice(0, 1)) : [])
  const schemaArgs = named.map(([name, v], i): SchemaArg => ({
    name,
    type: { ...typeOf(v), write: written.has(name), alias: written.has(name) ? '!' : null },
    kwargOnly: i >= args.length && !mutates,
    written: written.has(name),
    aliased: written.has(name),
    hasDefault: false,
    default: undefined,
  }))
  return {
    name: target,
    args: schemaArgs,
    returns: mutates ? [] : [type('Tensor')],
    mutable: written.size > 0,
    text: `${target.split('.')[1]}(${schemaArgs.map((a) => a.name).join(', ')})`,
  }
}

const type = (base: string, list: number | null = null, optional = false): SchemaType => ({
  base,
  optional,
  list,
  itemOptional: true,
  alias: null,
  write: false,
})

function typeOf(v: DispatchArg): SchemaType {
  if (isFake(v)) return type('Tensor')
  if (typeof v === 'bigint' || isSym(v)) return type('SymInt')
  if (typeof v === 'number') return type('float')
  if (typeof v === 'boolean') return type('bool')
  const items = itemsOf(v)
  if (items) return { ...typeOf(items[0] ?? null), list: 0 }
  return type('Any', null, true)
}
