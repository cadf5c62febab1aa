/** The schema of an undeclared operator, derived from the calls in the graphs. */
import type { TensorMeta } from '../../fx'
import { byName, isTensor, type CallValue, type OperatorCall } from './operator_calls'

/** Names that kernels commonly give to the arguments that they write. */
const OUTPUTS = /^(?:out|output|result|results|residual|scales?|dst|y)(?:_|\d|$)|_out$|_output$/

/** `fp8_mm(Tensor arg0, Tensor arg1, Tensor arg2) -> Tensor`. */
export function inferredText(target: string, calls: readonly OperatorCall[]): string {
  const [, op, overload] = target.split('.')
  const positional = Math.max(0, ...calls.map((c) => c.positional.length))
  const values = new Map<string, CallValue[]>()
  for (const call of calls)
    for (const [name, value] of byName(call, [])) values.set(name, [...(values.get(name) ?? []), value])
  const wrapped = calls.some((c) => c.functionalized > 0)
  const written = wrapped ? writtenNames(values, calls) : new Set<string>()
  const args = [...values].map(([name, all], i) => {
    const keyword = i === positional && !wrapped ? '*, ' : ''
    const missing = all.length < calls.length ? '=None' : ''
    return `${keyword}${typeOf(all, written.has(name), missing !== '')} ${name}${missing}`
  })
  const name = overload === 'default' ? op! : `${op}.${overload}`
  return `${name}(${args.join(', ')}) -> ${wrapped ? '()' : returnsOf(calls)}`
}

/** Written arguments: as the calls name them; else by common names or, if the graph reads further results, by their metadata. */
function writtenNames(
  values: ReadonlyMap<string, readonly CallValue[]>,
  calls: readonly OperatorCall[],
): ReadonlySet<string> {
  const named = calls.flatMap((c) => c.writes ?? [])
  if (named.length > 0) return new Set(named)
  const tensors = [...values].filter(([, all]) => all.some((v) => v === undefined || isTensor(v))).map(([k]) => k)
  const likely = tensors.filter((k) => OUTPUTS.test(k))
  const most = calls.reduce<readonly (TensorMeta | null)[]>(
    (a, { written = [] }) => (written.length > a.length ? written : a),
    [],
  )
  if (likely.length >= Math.max(1, most.length)) return new Set(likely)
  return new Set(alike(tensors, values, most) ?? tensors.slice(0, Math.max(1, most.length)))
}

/** The first tensors, in order, that have the results' metadata; null if there are none. */
function alike(
  tensors: readonly string[],
  values: ReadonlyMap<string, readonly CallValue[]>,
  results: readonly (TensorMeta | null)[],
): string[] | null {
  const found: string[] = []
  let at = 0
  for (const result of results) {
    while (at < tensors.length && !values.get(tensors[at]!)!.some((v) => isLike(v, result))) at++
    if (at === tensors.length) return null
    found.push(tensors[at++]!)
  }
  return found.length > 0 ? found : null
}

const isLike = (value: CallValue, result: TensorMeta | null): boolean =>
  result === null ||
  !isTensor(value) ||
  (value.dtype === result.dtype &&
    value.shape.length === result.shape.length &&
    value.shape.every((d, i) => d === result.shape[i]))

function returnsOf(calls: readonly OperatorCall[]): string {
  const most = Math.max(1, ...calls.map((c) => c.outs?.length ?? 0))
  return most === 1 ? 'Tensor' : `(${Array.from({ length: most }, () => 'Tensor').join(', ')})`
}

function typeOf(values: readonly CallValue[], written: boolean, optional: boolean): string {
  const types = new Set(values.filter((v) => v !== null).map(typeOfOne))
  const [type = 'Tensor'] = types.has('float') ? ['float'] : types
  const none = optional || values.includes(null)
  return `${type}${written ? '!' : ''}${none ? '?' : ''}`
}

function typeOfOne(v: CallValue): string {
  if (v === undefined || isTensor(v)) return 'Tensor'
  if (typeof v === 'bigint') return 'SymInt'
  if (typeof v === 'number') return 'float'
  if (typeof v === 'boolean') return 'bool'
  if (typeof v === 'string') return 'str'
  if (Array.isArray(v)) {
    const items = v as readonly CallValue[]
    const known = items.find((i) => i !== null)
    const item = items.length > 0 ? typeOfOne(known) : 'SymInt'
    return `${item}${items.includes(null) ? '?' : ''}[]`
  }
  const kind = typeof v === 'object' && v !== null && 'kind' in v ? v.kind : ''
  const types: Record<string, string> = {
    sym: 'SymInt',
    dtype: 'ScalarType',
    device: 'Device',
    layout: 'Layout',
    memory_format: 'MemoryFormat',
    tuple: 'SymInt[]',
  }
  return types[kind] ?? 'Any'
}
