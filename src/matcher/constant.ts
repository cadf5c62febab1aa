/** Tensor constants of get_attr nodes: values, comparison and text. */
import { pyFloatRepr, type ConstantValues, type TensorMeta } from '../fx'

/** A constant tensor: metadata, and its values in row-major order, nested as tolist() gives them. */
export interface TensorConstant {
  meta: TensorMeta
  /** Null if the dump omits the values: such a constant equals nothing. */
  values: ConstantValues | null
}

/** _constant_values_equal for tensors: same metadata and values, NaN equal to NaN. */
export function constantsEqual(a: TensorConstant, b: TensorConstant): boolean {
  if (a.values === null || b.values === null) return false
  const same = (x: unknown, y: unknown): boolean => JSON.stringify(x ?? null) === JSON.stringify(y ?? null)
  return (
    a.meta.dtype === b.meta.dtype &&
    same(a.meta.shape, b.meta.shape) &&
    (a.meta.device === null || b.meta.device === null || same(a.meta.device, b.meta.device)) &&
    (a.meta.stride === null || b.meta.stride === null || same(a.meta.stride, b.meta.stride)) &&
    valuesEqual(a.values, b.values)
  )
}

function valuesEqual(a: ConstantValues, b: ConstantValues): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((x: ConstantValues, i: number) => valuesEqual(x, (b as readonly ConstantValues[])[i]!))
  }
  return a == b || (Number.isNaN(a) && Number.isNaN(b))
}

/** `torch.tensor(2.0, dtype=torch.float32)`, as PatternPrettyPrinter serializes a constant. */
export function constantRepr(c: TensorConstant): string {
  const device = c.meta.device
  const on =
    device && device.type !== 'cpu' ? `, device='${device.type}${device.index === null ? '' : `:${device.index}`}'` : ''
  return `torch.tensor(${c.values === null ? '...' : valuesRepr(c.values, pythonFloat)}, dtype=torch.${c.meta.dtype}${on})`
}

/** `format(tensor)`: the bare value of a scalar tensor, repr() of any other. */
export function constantStr(c: TensorConstant): string {
  if (c.values !== null && !Array.isArray(c.values)) return valuesRepr(c.values, pyFloatRepr)
  return tensorRepr(c)
}

const DEFAULT_DTYPES = new Set(['float32', 'int64', 'bool'])

/** f'{tensor}': the item of a zero-dimensional tensor (Tensor.__format__). */
export const tensorFormat = (c: TensorConstant): string =>
  c.values === null || typeof c.values === 'object' ? tensorRepr(c) : valuesRepr(c.values, pyFloatRepr)

/** `repr(tensor)` of a small tensor, as torch prints it: whole floats as `2.`, others with four decimals, aligned. */
export function tensorRepr(c: TensorConstant): string {
  if (c.values === null) return 'tensor(...)'
  const flat: (number | bigint | boolean)[] = []
  const collect = (v: ConstantValues): void => {
    if (typeof v === 'object') v.forEach(collect)
    else flat.push(v)
  }
  collect(c.values)
  const whole = flat.every((v) => typeof v !== 'number' || !Number.isFinite(v) || Number.isInteger(v))
  const scientific = isScientific(flat.filter((v) => typeof v === 'number'))
  const one = (v: number | bigint | boolean): string => {
    if (typeof v !== 'number') return valuesRepr(v, pyFloatRepr)
    if (!Number.isFinite(v)) return pyFloatRepr(v)
    if (scientific) return v.toExponential(4).replace(/e([+-])(\d)$/, (_, sign, digit) => `e${sign}0${digit}`)
    return whole ? `${v}.` : v.toFixed(4)
  }
  const width = Math.max(0, ...flat.map((v) => one(v).length))
  const text = (v: ConstantValues, indent: number): string => {
    if (typeof v !== 'object') return Array.isArray(c.values) ? one(v).padStart(width) : one(v)
    const nested = v.some((x) => typeof x === 'object')
    return `[${v.map((x) => text(x, indent + 1)).join(nested ? `,\n${' '.repeat(indent + 1)}` : ', ')}]`
  }
  const dtype = DEFAULT_DTYPES.has(c.meta.dtype) ? '' : `, dtype=torch.${c.meta.dtype}`
  return `tensor(${text(c.values, 'tensor('.length)}${dtype})`
}

/** torch prints with an exponent if the numbers are far apart, large, or small. */
function isScientific(values: readonly number[]): boolean {
  const sizes = values.filter((v) => Number.isFinite(v) && v !== 0).map(Math.abs)
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  return sizes.length > 0 && (most / least > 1000 || most > 1e8 || least < 1e-4)
}

function valuesRepr(v: ConstantValues, float: (x: number) => string): string {
  if (typeof v === 'boolean') return v ? 'True' : 'False'
  if (typeof v === 'bigint') return v.toString()
  if (typeof v === 'number') return float(v)
  return `[${v.map((x) => valuesRepr(x, float)).join(', ')}]`
}

function pythonFloat(x: number): string {
  if (Number.isNaN(x)) return "float('nan')"
  if (!Number.isFinite(x)) return x > 0 ? "float('inf')" : "-float('inf')"
  return pyFloatRepr(x)
}
