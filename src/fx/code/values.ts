/** Arguments of nodes, and values of their metadata, as Python. */
import { DEVICE_TYPES, DTYPES, LAYOUTS, MEMORY_FORMATS } from '../dtypes'
import { Node, type Arg } from '../graph/node'
import type { Complex, ConstantValues, Device, Dim, TensorMeta, Val } from '../value'
import { formatVal } from '../val_text'
import { code, floatLiteral, intLiteral, joined, literal, MAX_NESTED, stringLiteral, type Code } from './code'
import { isSize } from './sizes'

/** Writes the values that have no literal; a method returns null for a value that the file cannot hold. */
export interface ValueForms {
  node(node: Node): Code | null
  /** An operator or a function as an argument. */
  target(name: string): Code | null
  /** A symbolic size. */
  size(expr: string): Code | null
  /** Text that no reader understands; a string that contains it is data, too. */
  opaque(text: string): Code | null
  device(device: Device): Code
  /** `inf`, `-inf`, `nan`. */
  notFinite(value: number): Code
  /** A constant that the file names; null to write it as a literal. */
  constant?(value: number): Code | null
}

/** The code of an argument; null if a part of it has none. */
export function valueCode(arg: Arg, forms: ValueForms, depth = 0): Code | null {
  if (depth > MAX_NESTED) return null
  if (arg instanceof Node) return forms.node(arg)
  if (typeof arg === 'number')
    return forms.constant?.(arg) ?? (Number.isFinite(arg) ? floatLiteral(arg) : forms.notFinite(arg))
  if (typeof arg !== 'object' || arg === null) return literal(arg)
  const items = (list: readonly Arg[]): readonly Code[] | null => allOf(list.map((a) => valueCode(a, forms, depth + 1)))
  if (Array.isArray(arg)) {
    const codes = items(arg as readonly Arg[])
    return codes && code`[${joined(codes)}]`
  }
  if (!('kind' in arg)) return null
  switch (arg.kind) {
    case 'tuple': {
      const codes = items(arg.items)
      return codes && tupleCode(codes)
    }
    case 'slice': {
      const codes = items([arg.start, arg.stop, arg.step])
      return codes && code`slice(${joined(codes)})`
    }
    case 'dict': {
      const codes = items([...arg.entries.values()])
      return codes && code`{${joined([...arg.entries.keys()].map((k, i) => code`${stringLiteral(k)}: ${codes[i]!}`))}}`
    }
    default:
      return leafCode(arg, forms)
  }
}

function leafCode(
  arg: Exclude<Extract<Arg, { kind: string }>, Node | { kind: 'tuple' | 'slice' | 'dict' }>,
  forms: ValueForms,
): Code | null {
  switch (arg.kind) {
    case 'dtype':
      return torchName(DTYPES, arg.name)
    case 'layout':
      return torchName(LAYOUTS, arg.name)
    case 'memory_format':
      return torchName(MEMORY_FORMATS, arg.name)
    case 'device':
      return isDevice(arg) ? forms.device(arg) : null
    case 'op':
      return forms.target(arg.name)
    case 'complex':
      return complexCode(arg, forms)
    case 'sym':
      return isSize(arg.expr) ? forms.size(arg.expr) : forms.opaque(arg.expr)
    case 'ellipsis':
      return code`Ellipsis`
    case 'opaque':
      return forms.opaque(arg.text)
  }
}

const allOf = (codes: readonly (Code | null)[]): readonly Code[] | null =>
  codes.includes(null) ? null : (codes as readonly Code[])

export const tupleCode = (items: readonly Code[]): Code =>
  items.length === 1 ? code`(${items[0]!},)` : code`(${joined(items)})`

/** `torch.float32`; null for a name that PyTorch lacks. */
const torchName = (known: ReadonlySet<string>, name: string): Code | null =>
  known.has(name) ? (`torch.${name}` as Code) : null

export const dtypeCode = (name: string): Code | null => torchName(DTYPES, name)

/** A device type that torch.device takes, or the name of a backend, as in `npu`. */
export const isDevice = ({ type, index }: Device): boolean =>
  (DEVICE_TYPES.has(type) || /^[a-z]{2,16}$/.test(type)) && (index === null || (Number.isInteger(index) && index >= 0))

/** repr() does not round-trip a signed zero, and `nanj` is a name. */
function complexCode({ re, im }: Complex, { notFinite }: ValueForms): Code | null {
  if (typeof re !== 'number' || typeof im !== 'number') return null
  const part = (x: number): Code => (Number.isFinite(x) ? floatLiteral(x) : notFinite(x))
  if (re === 0 || im === 0 || !Number.isFinite(re) || !Number.isFinite(im))
    return code`complex(${part(re)}, ${part(im)})`
  const plain = (x: number): string => floatLiteral(x).replace(/\.0$/, '')
  return `(${plain(re)}${im < 0 ? '' : '+'}${plain(im)}j)` as Code
}

/** `device(type='cuda', index=0)`. */
export const deviceCall = ({ type, index }: Device): Code =>
  index === null ? code`device(type=${literal(type)})` : code`device(type=${literal(type)}, index=${literal(index)})`

/**
 * print_readable's annotation with strides and device as a string; several values as a tuple. Null for a value that is not such a
 * text.
 */
export function annotationCode(val: Val | null | undefined, depth = 0): Code | null {
  if (!val) return code`None`
  if (depth > MAX_NESTED) return null
  if (val.kind === 'vals') {
    const items = allOf(val.items.map((v) => annotationCode(v, depth + 1)))
    return items && (val.list ? code`[${joined(items)}]` : tupleWithComma(items))
  }
  if (val.kind === 'tensor' ? !isTensor(val) : !isScalar(val.value)) return null
  const text = formatVal(val, { stride: true, device: true })
  return text === '' ? code`None` : stringLiteral(text)
}

const tupleWithComma = (items: readonly Code[]): Code => (items.length === 0 ? code`()` : code`(${joined(items)},)`)

const isTensor = ({ dtype, shape, stride, device }: TensorMeta): boolean =>
  DTYPES.has(dtype) && shape.every(isDim) && (stride ?? []).every(isDim) && (device === null || isDevice(device))

const isDim = (d: Dim): boolean => (typeof d === 'number' ? Number.isSafeInteger(d) : isSize(d))

const isScalar = (value: Extract<Val, { kind: 'scalar' }>['value']): boolean =>
  typeof value !== 'object' || value === null || isSize(value.expr)

/** The values of a constant tensor, nested like tolist(). */
export function constantCode(value: ConstantValues, forms: Pick<ValueForms, 'notFinite'>, depth = 0): Code | null {
  if (Array.isArray(value)) {
    const items =
      depth > MAX_NESTED
        ? null
        : allOf((value as readonly ConstantValues[]).map((v) => constantCode(v, forms, depth + 1)))
    return items && code`[${joined(items)}]`
  }
  if (typeof value === 'bigint') return intLiteral(value)
  if (typeof value === 'number') return Number.isFinite(value) ? floatLiteral(value) : forms.notFinite(value)
  return typeof value === 'boolean' ? literal(value) : null
}
