/**
 * Binds a call's arguments to a schema like torch's Python bindings: conversions, defaults, errors.
 * Reason for length: each conversion and the text of its error are one description of a parameter.
 */
import { dtype as dtypeArg, fakeRepr, pyFloatRepr, type Arg } from '../fx'
import { describe, isFake, isKind, isSym, itemsOf, type DispatchArg, type FakeTensor } from './fake'
import { isFloatSym } from './sym'
import { parseDevice } from './op_call'
import { ordered } from './overload_order'
import type { OpSchema, SchemaArg, SchemaType } from './schema'
import { TorchError } from './torch_error'

export interface Bound {
  readonly schema: OpSchema
  /** By name, including defaults. */
  readonly values: ReadonlyMap<string, DispatchArg>
  /** The arguments that __torch_dispatch__ sees: trailing defaults dropped, keyword-only arguments by name. */
  readonly args: readonly DispatchArg[]
  readonly kwargs: ReadonlyMap<string, DispatchArg>
}

/** Packets whose Tensor parameters take Python numbers (python_arg_parser.cpp, should_allow_numbers_as_tensors). */
const NUMBERS = new Set(
  `add add_ sub sub_ subtract subtract_ mul mul_ multiply multiply_ div div_ divide divide_ true_divide true_divide_
   floor_divide floor_divide_`.split(/\s+/),
)

const allowsNumbers = (schema: OpSchema): boolean => NUMBERS.has(schema.name.split('.')[1]!)

/** An undefined tensor of C++ for an optional keyword-only argument: the graph shows None, although None is the default. */
export const UNDEFINED_TENSOR: DispatchArg = { kind: 'tuple', items: [] }

/**
 * Binds to one schema.
 * @throws TorchError RuntimeError with PyTorch's text if the call does not fit
 */
export function bind(schema: OpSchema, args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>): Bound {
  const bound = tryBind(schema, args, kwargs)
  if (typeof bound === 'string') throw new TorchError('RuntimeError', bound)
  return bound
}

function tryBind(
  schema: OpSchema,
  args: readonly DispatchArg[],
  kwargs: ReadonlyMap<string, DispatchArg>,
): Bound | string {
  const [ns, op, overload] = schema.name.split('.') as [string, string, string]
  const title = `${ns}::${op}`
  const declaration = (): string =>
    `${title}${overload === 'default' ? '' : `.${overload}`}${namedAliases(schema.text.slice(schema.text.indexOf('(')))}`
  const given = args.length + kwargs.size
  if (given > schema.args.length)
    return `${title}() expected at most ${schema.args.length} argument(s) but received ${given} argument(s). Declaration: ${declaration()}`
  const positional = schema.args.filter((a) => !a.kwargOnly).length
  if (args.length > positional)
    return `${title}() takes ${positional} positional argument(s) but ${args.length} was/were given.  Declaration: ${declaration()}`
  const values = new Map<string, DispatchArg>()
  const undefinedTensors = new Set<string>()
  const used = new Set<string>()
  for (const [i, param] of schema.args.entries()) {
    let value: DispatchArg
    if (i < args.length && !param.kwargOnly) value = args[i]!
    else if (kwargs.has(param.name)) {
      value = kwargs.get(param.name)!
      used.add(param.name)
    } else if (param.hasDefault) {
      values.set(param.name, defaultOf(param))
      continue
    } else if (param.name === 'input' || param.name === 'self') {
      // torch.fn(input=x) and x.fn() mean the same parameter.
      const other = param.name === 'input' ? 'self' : 'input'
      if (!kwargs.has(other)) return missing(title, param.name, declaration())
      value = kwargs.get(other)!
      used.add(other)
    } else return missing(title, param.name, declaration())
    if (value === UNDEFINED_TENSOR) undefinedTensors.add(param.name)
    const converted =
      undefinedTensors.has(param.name) || isUndefinedTensor(value, param, ns)
        ? null
        : isDtypeForInt(value, param, ns)
          ? value
          : convert(value, param.type, allowsNumbers(schema))
    if (converted === undefined && isScalarType(param.type) && isFake(value) && value.meta.shape.length === 0)
      throw new TorchError('GuardOnDataDependentSymNode', DATA_DEPENDENT)
    if (converted === undefined)
      return (
        `${title}() Expected a value of type '${typeText(param.type)}' for argument '${param.name}' but instead found ` +
        `type '${describe(value)}'.\nPosition: ${i}\nValue: ${argumentText(value)}\nDeclaration: ${declaration()}\n` +
        `Cast error details: ${castError(value, param.type)}`
      )
    values.set(param.name, converted)
  }
  for (const k of kwargs.keys())
    if (!used.has(k)) return `Unknown keyword argument '${k}' for operator '${title}'. Schema: ${declaration()}`
  return { schema, values, ...dispatched(schema, values, undefinedTensors) }
}

/** A schema as C++ prints it: writes without a name, `Tensor! out`, are numbered. */
function namedAliases(signature: string): string {
  let next = 0
  return signature.replace(/\b(Tensor(?:\[\])?)!/g, (_, type: string) => `${type}($${next++}! -> )`)
}

const isScalarType = (type: SchemaType): boolean => type.base === 'float' && type.list === null

/** A float argument reads the value of a tensor, which a fake tensor does not have. */
const DATA_DEPENDENT = `Could not guard on data-dependent expression zuf0 (unhinted: zuf0).  (Size-like symbols: none)

consider using data-dependent friendly APIs such as guard_or_false, guard_or_true and statically_known_true.
Caused by: (fx/experimental/proxy_tensor.py:2014 in __torch_function__)
For more information, run with TORCH_LOGS="dynamic"
For extended logs when we create symbols, also add TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL="zuf0"
If you suspect the guard was triggered from C++, add TORCHDYNAMO_EXTENDED_DEBUG_CPP=1`

const missing = (title: string, name: string, declaration: string): string =>
  `${title}() is missing value for argument '${name}'. Declaration: ${declaration}`

/** The default; `int[2] padding=0` means [0, 0]. */
function defaultOf({ type, default: value }: SchemaArg): DispatchArg {
  const single = type.list !== null && type.list > 0 && (typeof value === 'bigint' || typeof value === 'number')
  return single ? new Array<DispatchArg>(type.list!).fill(value) : (value as DispatchArg)
}

/** The same call with other values of its arguments. */
export const rebound = (schema: OpSchema, values: ReadonlyMap<string, DispatchArg>): Bound => ({
  schema,
  values,
  ...dispatched(schema, values),
})

/** The arguments as a dispatch mode sees them. */
function dispatched(
  schema: OpSchema,
  values: ReadonlyMap<string, DispatchArg>,
  given: ReadonlySet<string> = new Set(),
): { args: DispatchArg[]; kwargs: Map<string, DispatchArg> } {
  const isDefault = (a: SchemaArg): boolean => a.hasDefault && sameValue(values.get(a.name)!, defaultOf(a) as Arg)
  const positional = schema.args.filter((a) => !a.kwargOnly)
  let last = positional.length
  while (last > 0 && isDefault(positional[last - 1]!)) last--
  return {
    args: positional.slice(0, last).map((a) => values.get(a.name)!),
    kwargs: new Map(
      schema.args
        .filter((a) => a.kwargOnly && (given.has(a.name) || !isDefault(a)))
        .map((a): [string, DispatchArg] => [a.name, values.get(a.name)!]),
    ),
  }
}

function sameValue(a: DispatchArg, b: Arg): boolean {
  if (a === b) return true
  const x = itemsOf(a)
  const y = itemsOf(b as DispatchArg)
  if (x && y) return x.length === y.length && x.every((v, i) => sameValue(v, y[i] as Arg))
  return isKind(a, 'memory_format') && isKind(b as DispatchArg, 'memory_format')
    ? (a as { name: string }).name === (b as { name: string }).name
    : false
}

/** pybind11's error message. A tensor parameter has its own message; for a list, the first item that does not fit is named. */
const castError = (value: DispatchArg, type: SchemaType): string =>
  type.base === 'Tensor' && type.list === null
    ? `Unable to cast ${argumentText(value)} to Tensor`
    : `Unable to cast Python instance of type <class '${describe(misfit(value, type))}'> to C++ type '?' ` +
      '(#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)'

const misfit = (value: DispatchArg, type: SchemaType): DispatchArg =>
  type.list === null ? value : (itemsOf(value)?.find((v) => convertOne(v, type, false) === undefined) ?? value)

/** torch.ops accepts None for an undefined tensor; torch's own functions check earlier. */
const isUndefinedTensor = (value: DispatchArg, { type }: SchemaArg, ns: string): boolean =>
  value === null && type.base === 'Tensor' && type.list === null && ns !== 'aten' && ns !== 'prims'

/** torch.ops takes a dtype for an int (toIValue). It stays a dtype here, as graphs show it. */
const isDtypeForInt = (value: DispatchArg, { type }: SchemaArg, ns: string): boolean =>
  type.base === 'int' && type.list === null && isKind(value, 'dtype') && ns !== 'aten' && ns !== 'prims'

/** The value converted to the parameter's type; undefined if that is impossible. */
function convert(value: DispatchArg, type: SchemaType, numbers: boolean): DispatchArg | undefined {
  if (value === null) {
    if (type.optional || type.base === 'Any') return null
    // pybind11 casts None to False.
    return type.base === 'bool' && type.list === null ? false : undefined
  }
  if (type.list === null) return convertOne(value, type, numbers)
  const items = itemsOf(value)
  if (items) {
    const out: DispatchArg[] = []
    for (const item of items) {
      if (item === null && type.itemOptional) {
        out.push(null)
        continue
      }
      const converted = item === null ? undefined : convertOne(item, type, false)
      if (converted === undefined) return undefined
      out.push(converted)
    }
    return out
  }
  if (type.list > 0 && type.base !== 'Tensor') {
    const one = convertOne(value, type, false)
    return one === undefined ? undefined : new Array<DispatchArg>(type.list).fill(one)
  }
  return undefined
}

function convertOne(v: DispatchArg, type: SchemaType, numbers: boolean): DispatchArg | undefined {
  switch (type.base) {
    case 'Tensor':
      return isFake(v) ? v : numbers && (isNumeric(v) || isSym(v)) ? checkScalar(v) : undefined
    case 'int':
    case 'SymInt':
    case 'DeviceIndex':
      if (typeof v === 'boolean') return v ? 1n : 0n
      return (typeof v === 'bigint' && fitsInt64(v)) || (isSym(v) && !isFloatSym(v)) ? v : undefined
    case 'float':
    case 'SymFloat':
      if (typeof v === 'bigint' || typeof v === 'boolean') return Number(v)
      return typeof v === 'number' || isSym(v) ? v : undefined
    case 'bool':
    case 'SymBool':
      if (typeof v === 'bigint' || typeof v === 'number') return Boolean(v)
      return typeof v === 'boolean' || (isSym(v) && type.base === 'SymBool') ? v : undefined
    case 'Scalar':
    case 'number':
      return isNumeric(v) || isSym(v) ? checkScalar(v) : undefined
    case 'complex':
      return isNumeric(v) ? v : undefined
    case 'str':
      return typeof v === 'string' ? v : undefined
    case 'ScalarType':
      return isKind(v, 'dtype') ? v : v === 'float' ? dtypeArg('float32') : undefined
    case 'Device':
      return isKind(v, 'device') ? v : typeof v === 'string' ? parseDevice(v) : undefined
    case 'Layout':
      return isKind(v, 'layout') ? v : undefined
    case 'MemoryFormat':
      return isKind(v, 'memory_format') ? v : undefined
    case 'Dimname':
      return undefined
    case 'Generator':
      return isKind(v, 'opaque') ? v : undefined
    default:
      return v
  }
}

const fitsInt64 = (v: bigint): boolean => BigInt.asIntN(64, v) === v

/** A Scalar holds an int64 or a uint64. */
function checkScalar(v: DispatchArg): DispatchArg {
  if (typeof v !== 'bigint' || fitsInt64(v) || BigInt.asUintN(64, v) === v) return v
  throw new TorchError('OverflowError', v < 0n ? "can't convert negative int to unsigned" : 'int too big to convert')
}

const isNumeric = (v: DispatchArg): boolean =>
  typeof v === 'bigint' || typeof v === 'number' || typeof v === 'boolean' || isKind(v, 'complex')

const TYPE_NAMES: Readonly<Record<string, string>> = { SymInt: 'int', Scalar: 'number', ScalarType: 'int' }

function typeText(t: SchemaType): string {
  const base = TYPE_NAMES[t.base] ?? t.base
  const whole = t.list === null ? base : `List[${base}]`
  return t.optional ? `Optional[${whole}]` : whole
}

/** `repr` of an argument. */
export function argumentText(v: DispatchArg, tensor = (t: FakeTensor): string => fakeRepr(t.meta)): string {
  if (typeof v === 'string') return `'${v}'`
  if (v === null) return 'None'
  if (typeof v === 'boolean') return v ? 'True' : 'False'
  if (typeof v === 'bigint') return String(v)
  if (typeof v === 'number') return pyFloatRepr(v)
  const items = itemsOf(v)
  if (items) {
    const inner = items.map((item) => argumentText(item, tensor)).join(', ')
    return Array.isArray(v) ? `[${inner}]` : `(${inner}${items.length === 1 ? ',' : ''})`
  }
  return isFake(v) ? tensor(v) : describe(v)
}

/**
 * Resolves a packet's overload by the arguments.
 * @throws TorchError RuntimeError if none fits (the error of the only overload, or a list of all errors)
 */
export function resolve(
  packet: string,
  schemas: readonly OpSchema[],
  args: readonly DispatchArg[],
  kwargs: ReadonlyMap<string, DispatchArg>,
): Bound {
  const candidates = ordered(packet, schemas)
  const reasons: string[] = []
  for (const schema of candidates) {
    const bound = tryBind(schema, args, kwargs)
    if (typeof bound !== 'string') return bound
    reasons.push(bound)
  }
  // For torch.maximum(x, 2), with only one signature to choose from, the binding names the argument.
  const plain = candidates.filter((s) => !s.args.some((a) => a.name === 'out'))
  if (plain.length === 1 && packet.startsWith('aten.')) {
    const found = firstMisfit(plain[0]!, args)
    if (found) throw new TorchError('TypeError', `${packet.slice('aten.'.length)}(): ${found}`)
  }
  if (candidates.length === 1) throw new TorchError('RuntimeError', reasons[0]!)
  const listed = reasons.map((r) => `${r}\n\n`).join('')
  throw new TorchError(
    'RuntimeError',
    `Overloaded torch operator invoked from Python failed to match any schema:\n${listed}`,
  )
}

/** The name of a value's type as C++ knows it: `torch.dtype`. */
const typeName = (value: DispatchArg | undefined): string =>
  ['dtype', 'device', 'layout', 'memory_format'].includes(describe(value))
    ? `torch.${describe(value)}`
    : describe(value)

function firstMisfit(schema: OpSchema, args: readonly DispatchArg[]): string | null {
  for (const [i, value] of args.entries()) {
    const param = schema.args[i]
    if (!param || convert(value, param.type, allowsNumbers(schema)) !== undefined) continue
    const name = param.name === 'self' ? 'input' : param.name
    if (typeof value === 'bigint' && /^(Optional\[)?int\]?$/.test(typeText(param.type)))
      throw new TorchError('ValueError', 'Overflow when unpacking long long')
    return `argument '${name}' (position ${i + 1}) must be ${typeText(param.type)}, not ${typeName(value)}`
  }
  return null
}
