/** Python's `==`, `repr()` and `str()` for values in FX arguments; pattern matching and its texts depend on them. */
import { formatDevice, formatRepr, isOverload, Node, pyStringRepr, type Arg, type Dict, type Tuple } from '../fx'

type Kinded = Exclude<Arg, null | boolean | bigint | number | string | Node | readonly Arg[]>

const isList = (a: unknown): a is readonly Arg[] => Array.isArray(a)
const isNumber = (a: Arg): a is boolean | bigint | number =>
  typeof a === 'boolean' || typeof a === 'bigint' || typeof a === 'number'
const toNumber = (a: boolean | bigint | number): bigint | number => (typeof a === 'boolean' ? (a ? 1n : 0n) : a)

/** Python's `a == b`: True == 1 == 1.0, a list never equals a tuple, nodes compare by identity. */
export function pyEqual(a: Arg, b: Arg): boolean {
  if (a === b) return true
  // Mixed bigint and number compare by mathematical value in JS, as int and float do in Python.
  if (isNumber(a) && isNumber(b)) return toNumber(a) == toNumber(b)
  if (a === null || b === null || typeof a !== typeof b) return complexEqual(a, b)
  if (typeof a !== 'object' || typeof b !== 'object') return false
  if (a instanceof Node || b instanceof Node) return false
  if (isList(a) || isList(b)) return isList(a) && isList(b) && allEqual(a, b)
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'tuple':
      return allEqual(a.items, (b as Tuple).items)
    case 'dict':
      return dictEqual(a, b as Dict)
    case 'slice': {
      const other = b as typeof a
      return pyEqual(a.start, other.start) && pyEqual(a.stop, other.stop) && pyEqual(a.step, other.step)
    }
    default:
      return plainEqual(a, b)
  }
}

function complexEqual(a: Arg, b: Arg): boolean {
  const [x, y] = isNumber(a) ? [b, a] : [a, b]
  if (x === null || !isNumber(y) || typeof x !== 'object' || !('kind' in x) || x.kind !== 'complex') return false
  return x.im === 0 && x.re == toNumber(y)
}

const allEqual = (a: readonly Arg[], b: readonly Arg[]): boolean =>
  a.length === b.length && a.every((x, i) => pyEqual(x, b[i]!))

function dictEqual(a: Dict, b: Dict): boolean {
  if (a.entries.size !== b.entries.size) return false
  for (const [k, v] of a.entries) {
    const other = b.entries.get(k)
    if (other === undefined || !pyEqual(v, other)) return false
  }
  return true
}

/** dtypes, devices and similar values: equal if all fields are. */
function plainEqual(a: Kinded, b: Kinded): boolean {
  const left = a as unknown as Record<string, unknown>
  const right = b as unknown as Record<string, unknown>
  return Object.keys(left).every((k) => left[k] === right[k])
}

/** `repr(value)`; nodes print by name. */
export const pyRepr = formatRepr

/** `repr` of a container with its items printed by `repr`; shared with patterns, whose lists hold PatternExprs. */
export const listRepr = (items: readonly string[]): string => `[${items.join(', ')}]`
export const tupleRepr = (items: readonly string[]): string =>
  items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`
export const dictRepr = (entries: readonly (readonly [string, string])[]): string =>
  `{${entries.map(([k, v]) => `${pyStringRepr(k)}: ${v}`).join(', ')}}`

/** `str(value)`; differs from repr only at the top level, because Python's containers print their items by repr. */
export function pyStr(value: Arg): string {
  if (typeof value === 'string') return value
  if (value !== null && typeof value === 'object' && !isList(value) && !(value instanceof Node)) {
    if (value.kind === 'device') return formatDevice(value)
    if (value.kind === 'op') return value.name.replace(/^higher_order\./, '')
  }
  return pyRepr(value)
}

/** `type(value).__name__`. */
export function pyTypeName(value: Arg): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float'
  if (typeof value === 'string') return 'str'
  if (value instanceof Node) return 'Node'
  if (isList(value)) return 'immutable_list'
  switch (value.kind) {
    case 'dict':
      return 'immutable_dict'
    case 'op':
      return isOverload(value.name) ? 'OpOverload' : 'OpOverloadPacket'
    case 'sym':
      return 'SymInt'
    case 'opaque':
      return 'object'
    default:
      return value.kind
  }
}

/** `bool(value)` of a result from Python: plain values, or a proxy of an object. */
export function pyTruth(value: unknown): boolean {
  if (value === null || value === undefined) return false
  if (typeof value !== 'object' && typeof value !== 'function') return Boolean(value)
  const proxy = value as { __bool__?: () => unknown; length?: unknown; size?: unknown }
  if (typeof proxy.__bool__ === 'function') return Boolean(proxy.__bool__())
  const length = proxy.length ?? proxy.size
  return typeof length === 'number' ? length > 0 : true
}

/** `type(value).__name__` of a result from Python: plain values, or a proxy of an object. */
export function pythonClass(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'number') return 'float'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  const type = (value as { type?: unknown }).type
  return typeof type === 'string' ? type : 'object'
}
