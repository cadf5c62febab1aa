/**
 * Maps between the arguments of a search function (which may be lists of tensors) and the flat placeholders of its
 * trace.
 */
import { NEWEST_RULES, type TorchRules } from '../base/torch_version'
import { pyStringRepr, type Arg, type Val, isKind } from '../fx'
import type { TorchError } from '../trace/types'
import { capturedRepr, isCapturedTuple, type Captured } from './match'
import { dictRepr, listRepr } from './py'
import { UnusedArgument } from './reasons/refusal'

export interface TraceArgInfo {
  argNames: readonly string[]
  /** Names of the flat placeholders, in order. */
  flatNames: readonly string[]
  /** Flat names of each argument. */
  namesOf: ReadonlyMap<string, readonly string[]>
  /** The structure of each argument, to rebuild it from flat values. */
  specOf: ReadonlyMap<string, Val>
}

/** _trace_arg_info: a list argument `xs` of two is traced as `xs_0`, `xs_1`. */
export function traceArgInfo(argNames: readonly string[], args: readonly Val[]): TraceArgInfo {
  const used = new Set<string>()
  const unique = (name: string): string => {
    let made = name
    for (let i = 0; used.has(made); i++) made = `${name}_${i}`
    used.add(made)
    return made
  }
  const flatNames: string[] = []
  const namesOf = new Map<string, readonly string[]>()
  const specOf = new Map<string, Val>()
  for (const [i, arg] of args.entries()) {
    const argName = argNames[i]
    if (argName === undefined) break
    const count = countLeaves(arg)
    const names = count === 1 ? [unique(argName)] : Array.from({ length: count }, (_, k) => unique(`${argName}_${k}`))
    flatNames.push(...names)
    namesOf.set(argName, names)
    specOf.set(argName, arg)
  }
  return { argNames, flatNames, namesOf, specOf }
}

export function countLeaves(val: Val | null): number {
  return val?.kind === 'vals' ? val.items.reduce((n, v) => n + countLeaves(v), 0) : 1
}

/**
 * Captured values by the search function's own argument names, followed by those that belong to none.
 * @throws TorchError RuntimeError if an argument was not captured, because the pattern does not use it
 */
export function unflattenMatchKwargs(
  kwargs: ReadonlyMap<string, Captured>,
  info: TraceArgInfo,
  { defaults, rules = NEWEST_RULES }: { defaults?: ReadonlyMap<string, Captured>; rules?: TorchRules } = {},
): Map<string, Captured> {
  const rest = new Map(kwargs)
  const result = new Map<string, Captured>()
  for (const argName of info.argNames) {
    const names = info.namesOf.get(argName) ?? []
    const missing = names.filter((n) => !rest.has(n))
    if (missing.length > 0) {
      if (defaults?.has(argName) && missing.length === names.length) {
        result.set(argName, defaults.get(argName)!)
        continue
      }
      throw rules.nestedInputs
        ? notAllInputs(argName, names, missing, rest)
        : notAllNames(argName, info.argNames, kwargs)
    }
    const values = names.map((n) => rest.get(n)!)
    for (const n of names) rest.delete(n)
    result.set(argName, unflatten(values, info.specOf.get(argName) ?? null))
  }
  for (const [k, v] of rest) result.set(k, v)
  return result
}

function notAllInputs(
  argName: string,
  names: readonly string[],
  missing: readonly string[],
  kwargs: ReadonlyMap<string, Captured>,
): TorchError {
  const list = (items: readonly string[]): string => listRepr(items.map(pyStringRepr))
  return new UnusedArgument(
    argName,
    'Not all inputs to pattern found in match.kwargs. Perhaps one of the inputs is unused? ' +
      `argname=${argName}, flat_argnames=${list(names)}, missing_argnames=${list(missing)}, ` +
      `match.kwargs=${kwargsRepr(kwargs)}`,
  )
}

/** The same before PyTorch 2.13. */
function notAllNames(argName: string, names: readonly string[], kwargs: ReadonlyMap<string, Captured>): TorchError {
  return new UnusedArgument(
    argName,
    'Not all inputs to pattern found in match.kwargs. Perhaps one of the inputs is unused? ' +
      `argnames=${listRepr(names.map(pyStringRepr))}, match.kwargs=${kwargsRepr(kwargs)}`,
  )
}

const kwargsRepr = (kwargs: ReadonlyMap<string, Captured>): string =>
  dictRepr([...kwargs].map(([k, v]) => [k, capturedRepr(v)] as const))

function unflatten(values: Captured[], spec: Val | null): Captured {
  if (spec?.kind !== 'vals') return values.shift()!
  const items = spec.items.map((s) => unflatten(values, s))
  return spec.keys ? { kind: 'captured', items, keys: spec.keys } : { kind: 'captured', items }
}

/** pytree.tree_leaves of a captured value; whole captured lists are flattened too. */
export function capturedLeaves(value: Captured): Arg[] {
  if (isCapturedTuple(value)) return value.items.flatMap(capturedLeaves)
  if (Array.isArray(value)) return (value as readonly Arg[]).flatMap(capturedLeaves)
  if (isKind(value, 'tuple')) return value.items.flatMap(capturedLeaves)
  return [value as Arg]
}
