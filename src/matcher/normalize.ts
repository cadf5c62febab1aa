/**
 * The part of torch.fx.operator_schemas.normalize_function that the matcher uses: fills in defaults and passes the rest
 * by name.
 */
import { isOverload, type Arg } from '../fx'
import { pythonParameters } from './python_signatures'
import type { SchemaArgFacts, SchemaLookup } from './schema_facts'

export interface Normalized {
  args: readonly Arg[]
  kwargs: ReadonlyMap<string, Arg>
}

/**
 * Arguments with the schema's defaults: positional ones stay positional, all others are passed by name. Null if the
 * call does not fit the schema, or there is none.
 */
export function normalizeFunction(
  target: string,
  args: readonly Arg[],
  kwargs: ReadonlyMap<string, Arg>,
  schemaOf: SchemaLookup,
): Normalized | null {
  const params = parametersOf(target, schemaOf)
  if (!params) return null
  if (params.some((p) => p.name === 'from') && params.map((p) => p.name).join() !== 'input,from,to,generator')
    return null
  const positional = params.filter((p) => !p.kwargOnly).length
  if (args.length > positional) return null
  const rest = new Map<string, Arg>()
  for (const [i, param] of params.entries()) {
    if (i < args.length) {
      if (kwargs.has(param.name)) return null
      continue
    }
    const value = kwargs.has(param.name) ? kwargs.get(param.name)! : defaultOf(param)
    if (value === undefined) return null
    rest.set(param.name, value)
  }
  if ([...kwargs.keys()].some((k) => !rest.has(k))) return null
  return { args, kwargs: rest }
}

/** Null for targets that PyTorch does not normalize: higher-order operators take *args. */
function parametersOf(target: string, schemaOf: SchemaLookup): readonly SchemaArgFacts[] | null {
  if (!isOverload(target)) return pythonParameters(target)
  const schema = schemaOf(target)
  return schema && schema.args.map((a) => ({ ...a, name: a.name === 'self' ? 'input' : a.name }))
}

const defaultOf = (param: SchemaArgFacts): Arg | undefined => param.default
