/** The schema of an operator that nothing declares, from the calls in the graphs. */
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
  const written = wrapped ? writtenNames(values) : new Set<string>()
  const args = [...values].map(([name, all], i) => {
    const keyword = i === positional && !wrapped ? '*, ' : ''
    const missing = all.length < calls.length ? '=None' : ''
    return `${keyword}${typeOf(all, written.has(name), missing !== '')} ${name}${missing}`
  })
  const name = overload === 'default' ? op! : `${op}.${overload}`
  return `${name}(${args.join(', ')}) -> ${wrapped ? '()' : returnsOf(calls)}`
}

function writtenNames(values: ReadonlyMap<string, readonly CallValue[]>): Set<string> {
  const tensors = [...values].filter(([, all]) => all.some((v) => v === undefined || isTensor(v))).map(([k]) => k)
  const likely = tensors.filter((k) => OUTPUTS.test(k))
  return new Set(likely.length > 0 ? likely : tensors.slice(0, 1))
}

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
