/**
 * Formats values as Python does, in two styles: `formatArg` for print(graph) (bare strings, nodes as `%x`), `formatRepr`
 * for repr() (quoted strings, nodes by name), which print_readable and the `return` line use.
 */
import { type Arg, type Dict, Node, type Tuple } from '../graph/node'
import type { Complex, Device } from '../value'

/** repr() of a Python float: the shortest digits that round-trip, with an exponent below 1e-4 and from 1e16. */
export function pyFloatRepr(x: number): string {
  if (Number.isNaN(x)) return 'nan'
  if (x === Infinity) return 'inf'
  if (x === -Infinity) return '-inf'
  if (x === 0) return Object.is(x, -0) ? '-0.0' : '0.0'
  // JavaScript finds the same shortest digits; only the layout differs.
  const [mantissa, exponentText] = x.toExponential().split('e') as [string, string]
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 16) {
    const plain = String(x)
    return plain.includes('.') ? plain : `${plain}.0`
  }
  const size = Math.abs(exponent)
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${size < 10 ? `0${size}` : size}`
}

/** repr() of a Python complex. */
function pyComplexRepr(c: Complex): string {
  const part = (x: number): string => pyFloatRepr(x).replace(/\.0$/, '')
  if (c.re === 0 && !Object.is(c.re, -0)) return `${part(c.im)}j`
  const im = part(c.im)
  return `(${part(c.re)}${im.startsWith('-') ? '' : '+'}${im}j)`
}

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** repr() of a Python str. */
export function pyStringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(/[\\'"]|[^\x20-\x7e]/gu, (c) => {
    if (c === "'" || c === '"') return c === quote ? `\\${c}` : c
    const escaped = ESCAPED[c]
    if (escaped) return escaped
    if (!/[\p{C}\p{Z}]/u.test(c)) return c
    const code = c.codePointAt(0)!
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
  })
  return quote + body + quote
}

/** str() of a torch.device: `cpu`, `cuda:0`. */
export const formatDevice = (d: Device): string => (d.index === null ? d.type : `${d.type}:${d.index}`)

/** repr() of a torch.device: `device(type='cuda', index=0)`. */
const deviceRepr = (d: Device): string =>
  d.index === null ? `device(type='${d.type}')` : `device(type='${d.type}', index=${d.index})`

/** repr() of an int, a float or a bool. */
function pyScalarRepr(value: bigint | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'bigint' ? value.toString() : pyFloatRepr(value)
}

/**
 * An argument as print(graph) shows it (torch.fx.node._format_arg), byte for byte: `%x`, `[1, None]`, `(%x,)`, `cpu`,
 * `floor`.
 */
export function formatArg(arg: Arg): string {
  switch (typeof arg) {
    case 'string':
      return arg
    case 'bigint':
    case 'number':
    case 'boolean':
      return pyScalarRepr(arg)
  }
  if (arg === null) return 'None'
  if (arg instanceof Node) return `%${arg.name}`
  if (isList(arg)) return `[${arg.map(formatArg).join(', ')}]`
  switch (arg.kind) {
    case 'tuple':
      return formatTuple(arg, formatArg)
    case 'dict':
      return formatDict(arg)
    case 'device':
      return formatDevice(arg)
    case 'op':
      // str() of a HigherOrderOperator is its bare name.
      return arg.name.startsWith('higher_order.') ? arg.name.slice('higher_order.'.length) : arg.name
    default:
      return formatRepr(arg)
  }
}

/** `{a: %x}`: kwargs, or a dict inside an argument. */
export function formatKwargs(kwargs: ReadonlyMap<string, Arg>): string {
  if (kwargs.size === 0) return '{}'
  return `{${[...kwargs].map(([k, v]) => `${k}: ${formatArg(v)}`).join(', ')}}`
}

const formatDict = (d: Dict): string => formatKwargs(d.entries)

/** repr() of an argument with nodes by bare name, as in a graph's `return` line and nested slices. */
export function formatRepr(arg: Arg): string {
  return repr(arg, reprLeaf)
}

/**
 * An argument in print_readable's code (torch.fx.graph's _get_repr): like formatRepr, but operators and complex by
 * name.
 */
export function formatPython(arg: Arg): string {
  return repr(arg, pythonLeaf)
}

type Leaf = (arg: Exclude<Arg, Node | readonly Arg[]>) => string

function repr(arg: Arg, leaf: Leaf): string {
  if (arg instanceof Node) return arg.name
  if (typeof arg !== 'object' || arg === null) return leaf(arg)
  if (isList(arg)) return `[${arg.map((a) => repr(a, leaf)).join(', ')}]`
  if (arg.kind === 'tuple') return formatTuple(arg, (a) => repr(a, leaf))
  if (arg.kind === 'slice') return `slice(${[arg.start, arg.stop, arg.step].map((a) => repr(a, leaf)).join(', ')})`
  if (arg.kind === 'dict')
    return `{${[...arg.entries].map(([k, v]) => `${pyStringRepr(k)}: ${repr(v, leaf)}`).join(', ')}}`
  return leaf(arg)
}

const reprLeaf: Leaf = (arg) => {
  if (arg === null) return 'None'
  switch (typeof arg) {
    case 'string':
      return pyStringRepr(arg)
    case 'bigint':
    case 'number':
    case 'boolean':
      return pyScalarRepr(arg)
  }
  switch (arg.kind) {
    case 'dtype':
    case 'layout':
    case 'memory_format':
      return `torch.${arg.name}`
    case 'device':
      return deviceRepr(arg)
    case 'op': {
      const [ns, op, overload] = arg.name.split('.')
      return overload === undefined ? `${op ?? ns}` : `<OpOverload(op='${ns}.${op}', overload='${overload}')>`
    }
    case 'complex':
      return pyComplexRepr(arg)
    case 'sym':
      return arg.expr
    case 'ellipsis':
      return 'Ellipsis'
    case 'opaque':
      return arg.text
    default:
      throw new Error(`${arg.kind} is not a leaf`)
  }
}

const pythonLeaf: Leaf = (arg) => {
  if (typeof arg === 'object' && arg !== null) {
    if (arg.kind === 'op') return `torch.ops.${arg.name}`
    // repr() of these would not round-trip: a signed zero is lost, and `nanj` is a name.
    if (
      arg.kind === 'complex' &&
      (arg.re === 0 || arg.im === 0 || !Number.isFinite(arg.re) || !Number.isFinite(arg.im))
    )
      return `complex(${pyFloatRepr(arg.re)}, ${pyFloatRepr(arg.im)})`
  }
  return reprLeaf(arg)
}

function formatTuple(t: Tuple, item: (a: Arg) => string): string {
  return t.items.length === 1 ? `(${item(t.items[0]!)},)` : `(${t.items.map(item).join(', ')})`
}

function isList(arg: object): arg is readonly Arg[] {
  return Array.isArray(arg)
}
