/**
 * The part of torch.fx.operator_schemas.normalize_function that the matcher uses: fills in defaults and passes the rest
 * by name.
 */
import { isOverload, type Arg } from '../../fx'
import { runtimeError, type TorchError } from '../../ops/torch_error'
import { builtinOverloads, defaultValue, signatureText, typeName } from './builtin'
import { pythonParameters } from './python'
import type { SchemaArgFacts, SchemaLookup } from '../schema_facts'

export interface Normalized {
  args: readonly Arg[]
  kwargs: ReadonlyMap<string, Arg>
}

/**
 * Arguments with the schema's defaults: positional ones stay positional, all others are passed by name. Null if the
 * call fits no schema, several, or there is none.
 */
export function normalizeFunction(
  target: string,
  args: readonly Arg[],
  kwargs: ReadonlyMap<string, Arg>,
  schemaOf: SchemaLookup,
): Normalized | null {
  const [fitting, ...more] = parametersOf(target, schemaOf).flatMap((p) => fitted(p, args, kwargs) ?? [])
  return more.length === 0 ? (fitting ?? null) : null
}

/** The error of a call that fits several overloads of a function that PyTorch writes in C++; null for any other call. */
export function ambiguity(target: string, args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>): TorchError | null {
  const fitting = builtinOverloads(target).filter((s) => fitted(named(s.args), args, kwargs))
  if (fitting.length < 2) return null
  return runtimeError(
    `Tried to normalize arguments to ${typeName(target)} but the schema match was ambiguous! Please provide argument ` +
      `types to the normalize_arguments() call. Available schemas:\n${fitting.map(signatureText).join('\n')}`,
  )
}

/** The call by these parameters; null if it does not fit them. */
function fitted(
  params: readonly SchemaArgFacts[],
  args: readonly Arg[],
  kwargs: ReadonlyMap<string, Arg>,
): Normalized | null {
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
    const value = kwargs.has(param.name) ? kwargs.get(param.name)! : defaultValue(param)
    if (value === undefined) return null
    rest.set(param.name, value)
  }
  if ([...kwargs.keys()].some((k) => !rest.has(k))) return null
  return { args, kwargs: rest }
}

/** One list for each overload. None for targets that PyTorch does not normalize: higher-order operators take *args. */
function parametersOf(target: string, schemaOf: SchemaLookup): (readonly SchemaArgFacts[])[] {
  if (isOverload(target)) {
    const schema = schemaOf(target)
    return schema ? [named(schema.args)] : []
  }
  const python = pythonParameters(target)
  return python ? [python] : builtinOverloads(target).map((s) => named(s.args))
}

const named = (args: readonly SchemaArgFacts[]): SchemaArgFacts[] =>
  args.map((a) => (a.name === 'self' ? { ...a, name: 'input' } : a))
