/**
 * Tells which calls only compute tensors from tensors and plain numbers. Only those may be written as code for a graph that anybody
 * may have sent: registering a pattern runs its calls on tensors with data, on the machine and with the rights of the person who
 * registers it. An operator qualifies by its schema and its rule in this folder; any other operator only if the user's own files
 * name it.
 */
import { isGetitem, isHigherOrder, isKind, isOverload, Node, packetOf, type Arg } from '../../fx'
import { isKnownFunction } from '../../fx/code/functions'
import { catalogOverloads, catalogSchema } from '../schema/catalog'
import { hasTag } from '../schema/tags'
import type { OpSchema, SchemaArg } from '../schema/types'
import { lookupOp } from '../registry'
import { namesNothing } from './texts'

/** A call that may do more than compute, and why, as the end of "image.write_file …". */
export interface Beyond {
  operator: string
  why: string
}

/** True for an operator that the user's files name. */
export type Standing = (operator: string) => boolean

/** Compared by words: `image` and `write_file` both occur in the files, which may name the operator through a variable. */
export function standingIn(files: readonly { readonly text: string }[]): Standing {
  const words = new Set(files.flatMap(({ text }) => text.match(/\w+/g) ?? []))
  return (operator) => {
    const [namespace = '', name = ''] = operator.split('.')
    // `print` and `map` occur in any file.
    return words.has(name) && (words.has(namespace) || (namespace === 'higher_order' && words.has('_higher_order_ops')))
  }
}

/** Null for a call that only computes. */
export function beyondComputing(node: Node, stands: Standing): Beyond | null {
  const { op, target } = node
  if (!op.startsWith('call_') || op === 'call_module') return null
  const own = ofTarget(node, stands)
  if (own) return own
  // Functions that call their arguments are excluded: max(key=…), and sort(key=…) of a list.
  const inner = operatorsIn([...node.args, ...node.kwargs.values()])
  const refused = inner.map((name) => ofOperator(name, stands)).find((found) => found !== null)
  const isOperator = op === 'call_function' && (isOverload(target) || isHigherOrder(target))
  return refused ?? ofArguments(node, isOperator ? [target, ...inner] : inner, stands)
}

function ofTarget(node: Node, stands: Standing): Beyond | null {
  const { op, target } = node
  if (op === 'call_method')
    return isMethod(target) ? null : { operator: target, why: 'is no method that only computes' }
  return isOverload(target) || isHigherOrder(target) ? ofOperator(target, stands) : ofFunction(node, stands)
}

/** `operator.add`, `torch.relu`, `aten.add` without its overload. */
function ofFunction(node: Node, stands: Standing): Beyond | null {
  const name = node.target.replace(/^_operator\./, 'operator.')
  const overloads = catalogOverloads(name.replace(/^torch\.(?=\w+$)/, 'aten.'))
  if (isKnownFunction(name)) return overloads.every(isOfNumbers) || overloads.some(computes) ? null : ofOwn(name)
  if (overloads.some(computes)) return ofArguments(node, [`${name}.default`], stands)
  // Nobody writes these: a function of another module has no code.
  return /^[\w]+\.\w+$/.test(name) && !stands(name) ? ofOwn(name) : null
}

/** `torch.tensor` */
const isOfNumbers = ({ args }: OpSchema): boolean =>
  args.every(({ type }) => type.base !== 'Tensor' && type.base !== 'str')

const ofOwn = (operator: string): Beyond => ({ operator, why: 'is not known to compute tensors only' })

function ofOperator(target: string, stands: Standing): Beyond | null {
  if (FUNCTIONALIZED.test(target) || stands(target)) return null
  if (isHigherOrder(target)) return { operator: target, why: 'runs other operators or code' }
  const schema = catalogSchema(isOverload(target) ? target : `${target}.default`)
  return schema && computes(schema) ? null : ofOwn(target)
}

export const FUNCTIONALIZED = /^higher_order\.auto_functionalized(?:_v2)?$/

/** Types of values that refer to nothing outside the process: no storage, stream or script object. */
const PLAIN = new Set(
  'Tensor int SymInt float bool Scalar complex str ScalarType Device Layout MemoryFormat Generator'.split(' '),
)

/** True for an operator of PyTorch or a library that has a rule here, takes and returns plain values, and changes no storage. */
export function computes(schema: OpSchema): boolean {
  const { name, args, returns, source } = schema
  const types = [...args.map((a) => a.type), ...returns]
  if (!types.some((t) => t.base === 'Tensor') || !args.every(isPlain)) return false
  // A word, such as a rounding mode, accompanies a tensor; a file name or a text to print stands alone.
  if (args.some((a) => a.type.base === 'str') && !args.some((a) => a.type.base === 'Tensor')) return false
  if (hasTag(name, 'inplace_view') || isUnchecked(schema)) return false
  if (source !== undefined || COMPUTED.some((tag) => hasTag(name, tag))) return true
  // A reader of sizes, an operator with a rule, or its in-place form.
  if (!returns.some((r) => r.base === 'Tensor') && !schema.mutable) return returns.length > 0
  const isReference = !schema.mutable && returns.length > 0 && /^(?:prims|rngprims|quantized_decomposed)\./.test(name)
  return isReference || [name, name.replace(/_(?=\.\w+$)/, '')].some((n) => lookupOp(n))
}

/** PyTorch's tags for operators whose computation PyTorch knows. */
const COMPUTED = ['core', 'pointwise', 'reduction']

const isPlain = ({ name, type: { base } }: SchemaArg): boolean =>
  PLAIN.has(base) || name === 'group_name' || name === 'layer_name'

/**
 * PyTorch checks the bounds of as_strided, but not those of other views with explicit strides, nor indices of maxima in a
 * derivative. combinations(x, 2**40) never ends.
 */
function isUnchecked({ name, args, returns }: OpSchema): boolean {
  const [, packet = ''] = name.split('.')
  if (packet === 'combinations') return true
  const has = (named: string): boolean => args.some((a) => a.name === named)
  if (packet.endsWith('_backward')) return has('indices')
  if (has('unsafe')) return true
  const isView = has('self') && has('size') && has('stride') && returns.length === 1
  return isView && !/^(?:as_strided|new_empty_strided)/.test(packet)
}

/** A tensor method that only computes. */
const isMethod = (name: string): boolean => catalogOverloads(`aten.${name}`).some(computes) || isConversion(name)

/** A method that converts a dtype or reads a size. */
export const isConversion = (name: string): boolean => METHODS.has(name)
const METHODS = new Set(
  'bfloat16 bool byte char cpu cuda dim double float half int is_contiguous item long numel short size stride type'.split(
    ' ',
  ),
)

function ofArguments(node: Node, operators: readonly string[], stands: Standing): Beyond | null {
  const numbered = operators.find((name) => valuesOf(name, node, isName).some(isNumberOf))
  if (numbered !== undefined)
    return { operator: numbered, why: 'gets a number in the place of a dtype, layout or memory format' }
  const foreign = operators.find((name) => isForeign(name))
  if (foreign === undefined) return null
  const refused = (why: string): Beyond => ({ operator: foreign, why })
  const largest = stands(foreign) ? LARGEST : UNMAPPED
  const isFunctionalized = FUNCTIONALIZED.test(node.target)
  const values = [
    ...node.args,
    ...[...node.kwargs].flatMap(([k, v]) => (isFunctionalized && k.startsWith('_') ? [] : [v])),
  ]
  const all = [...leaves([...values, node.kwargs.get('_all_bases') ?? null])]
  const isKnown = catalogOverloads(packetOf(foreign)).some(computes)
  const isPath = (v: Arg): boolean => typeof v === 'string' && (isKnown ? /[/\\]/.test(v) : !namesNothing(v))
  if (all.some(isPath)) return refused('gets text that may be a path')
  const isAddress = (v: Arg): boolean => {
    if (typeof v === 'bigint') return v > largest || v < -largest
    if (v instanceof Node) return isComputedNumber(v) && !(stands(foreign) && isSize(v))
    return isKind(v, 'sym') && !/^[a-z]+\d+$/.test(v.expr)
  }
  const isNumber = all.some((v) => typeof v === 'bigint') && !all.some((v) => v instanceof Node)
  const isMade =
    !stands(foreign) &&
    valuesOf(foreign, node, (a) => a.type.base !== 'Tensor').some((v) => v instanceof Node && v.op.startsWith('call_'))
  return isNumber || isMade || all.some(isAddress) ? refused('gets a number that may be an address') : null
}

/** The required form of some arguments, whatever the call's metadata says. */
function valuesOf(operator: string, { target, args, kwargs }: Node, wanted: (arg: SchemaArg) => boolean): Arg[] {
  const schema = catalogSchema(isOverload(operator) ? operator : `${operator}.default`)
  const values = (schema?.args ?? []).flatMap((a, i) => {
    if (!wanted(a)) return []
    const given = kwargs.get(a.name) ?? (packetOf(target) === packetOf(operator) ? args[i] : undefined)
    return given === undefined ? [] : [given]
  })
  return values.flatMap((v) => [...leaves(v)])
}

/** PyTorch looks up numbers for these names in its own tables without a check: dtype=200 ends the process. */
const isName = ({ type: { base } }: SchemaArg): boolean => /^(?:ScalarType|Layout|MemoryFormat)$/.test(base)
const isNumberOf = (v: Arg): boolean =>
  typeof v === 'bigint' || typeof v === 'number' || v instanceof Node || isKind(v, 'sym')

/** True for a library other than PyTorch. */
const isForeign = (target: string): boolean =>
  !isHigherOrder(target) && catalogOverloads(packetOf(target)).every((schema) => schema.source !== undefined)

/** No system maps the first 64 KiB of memory, and Linux maps no program below 4 MiB, where Debian's Python begins. */
const UNMAPPED = 2n ** 16n
const LARGEST = 2n ** 22n

/** A number that the graph computes, or the size of a tensor in the graph. */
const isComputedNumber = ({ op, target, meta }: Node): boolean =>
  op.startsWith('call_') &&
  (meta.val?.kind === 'scalar' ||
    (/^(?:_?operator|math|builtins)\.|^(?:torch|aten)\.sym_|^(?:size|stride|numel|item)$/.test(target) &&
      !isGetitem({ target })))

const isSize = ({ target, args: [of] }: Node): boolean =>
  /^(?:torch|aten)\.sym_size\b|^size$/.test(target) || (isGetitem({ target }) && of instanceof Node && isSize(of))

function* leaves(value: Arg): Generator<Arg> {
  if (Array.isArray(value)) for (const item of value as readonly Arg[]) yield* leaves(item)
  else if (isKind(value, 'tuple')) for (const item of value.items) yield* leaves(item)
  else if (isKind(value, 'dict')) for (const item of value.entries.values()) yield* leaves(item)
  else if (isKind(value, 'slice')) for (const item of [value.start, value.stop, value.step]) yield* leaves(item)
  else yield value
}

const operatorsIn = (values: readonly Arg[]): string[] =>
  [...leaves(values as Arg)].flatMap((v) => (isKind(v, 'op') ? [v.name] : []))
