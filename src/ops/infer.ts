/** Infers the schema of an undeclared operator from a call. The report marks it as inferred. */
import { isFake, isSym, itemsOf, type DispatchArg } from './fake'
import { isFloatSym } from './sym'
import type { OpSchema, SchemaArg, SchemaType } from './schema'

/** Names that kernels commonly give to their outputs. */
const OUTPUTS = /^(?:out|output|result|results|residual|scales?|dst|y)(?:_|\d|$)|_out$|_output$/

/** The schema that the tracer assumes for an operator that nobody declared. */
export interface GuessedSchema {
  /** `mine::fused`. */
  operator: string
  /** Number of tensors that it returns or writes. */
  outputs: number
  /** The reason for `outputs`: items that the graph takes from its calls, names of arguments, or the call itself. */
  from: 'getitem' | 'names' | 'call'
  /** The line that declares the operator: `torch.library.define("mine::fused", "(Tensor x) -> Tensor")`. */
  declaration: string
}

/** Facts about a call besides its arguments. */
export interface InferFrom {
  /** The call goes through auto_functionalized: the operator writes to some argument and returns nothing. */
  mutates?: boolean
  /** Number of tensors that the graph's calls of the operator return or write; null if the graph contains none. */
  outputs?: number | null
  /** The arguments that the graph's calls may write, judged by dtypes and shapes. */
  written?: ReadonlySet<string> | undefined
}

export function inferSchema(
  target: string,
  args: readonly DispatchArg[],
  kwargs: ReadonlyMap<string, DispatchArg>,
  { mutates = false, outputs = null, written: shown }: InferFrom = {},
): OpSchema {
  const bases = baseNames(kwargs)
  const named = [
    ...args.map((v, i): [string, DispatchArg, boolean] => [`arg${i}`, v, isFake(v)]),
    ...[...kwargs]
      .filter(([k]) => !k.startsWith('_'))
      .map(([k, v]): [string, DispatchArg, boolean] => [k, v, isFake(v)]),
  ]
  const tensors = named.filter(([, , tensor]) => tensor).map(([k]) => k)
  const written = new Set(mutates ? (bases.length > 0 ? bases : writtenOf(tensors, outputs, shown)) : [])
  const schemaArgs = [
    ...named.map(([name, v], i): SchemaArg =>
      argument(name, typeOf(v), written.has(name), i >= args.length && !mutates),
    ),
    ...bases.map((name) => argument(name, type('Tensor'), true, false)),
  ]
  const returns = mutates ? [] : Array.from({ length: Math.max(1, outputs ?? 1) }, () => type('Tensor'))
  return {
    name: target,
    args: schemaArgs,
    returns,
    mutable: written.size > 0,
    text: `${target.split('.')[1]}(${schemaArgs.map((a) => a.name).join(', ')})`,
  }
}

const argument = (name: string, of: SchemaType, written: boolean, kwargOnly: boolean): SchemaArg => ({
  name,
  type: { ...of, write: written, alias: written ? '!' : null },
  kwargOnly,
  written,
  aliased: written,
  hasDefault: false,
  default: undefined,
})

/** auto_functionalized_v2 passes a written argument `x` as `_x_base_index`. */
const baseNames = (kwargs: ReadonlyMap<string, DispatchArg>): string[] =>
  [...kwargs.keys()].flatMap((k) => /^_(\w+)_base_index$/.exec(k)?.[1] ?? [])

/** First the arguments that the graph shows as written, then those named like an output, up to the number that the graph shows. */
function writtenOf(
  tensors: readonly string[],
  outputs: number | null,
  shown: ReadonlySet<string> = new Set(),
): string[] {
  const likely = tensors.filter((k) => OUTPUTS.test(k))
  if (outputs === null || outputs < 1) return likely.length > 0 ? likely : tensors.slice(0, 1)
  const all = [...likely, ...tensors]
  // The graph need not take each of the items.
  const chosen = [...new Set([...all.filter((k) => shown.has(k)), ...all])].slice(0, outputs)
  return tensors.filter((k) => chosen.includes(k))
}

/** `(Tensor x, Tensor(a!) out) -> ()`: the signature with which torch.library.define declares such an operator. */
export function signatureText({ args, returns }: Pick<OpSchema, 'args' | 'returns'>): string {
  let aliases = 0
  const text = ({ base, list, optional, write }: SchemaType): string => {
    const alias = write ? `(${String.fromCharCode(97 + aliases++)}!)` : ''
    return `${base === 'Any' ? 'Tensor' : base}${alias}${list === null ? '' : '[]'}${optional || base === 'Any' ? '?' : ''}`
  }
  const passed = args.map((a, i) => `${a.kwargOnly && !args[i - 1]?.kwargOnly ? '*, ' : ''}${text(a.type)} ${a.name}`)
  const results = returns.map(text)
  return `(${passed.join(', ')}) -> ${results.length === 1 ? results[0] : `(${results.join(', ')})`}`
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
  if (isSym(v)) return type(isFloatSym(v) ? 'float' : 'SymInt')
  if (typeof v === 'bigint') return type('SymInt')
  if (typeof v === 'number') return type('float')
  if (typeof v === 'boolean') return type('bool')
  const items = itemsOf(v)
  if (items) return { ...typeOf(items[0] ?? null), list: 0 }
  return type('Any', null, true)
}
