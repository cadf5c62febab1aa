/** Calls of operators that a real PyTorch lacks: those in the graphs, and those that ran while patterns were traced. */
import { Node, isOverload, type Arg, type Graph, type TensorMeta, type Val, isKind, isGetitem } from '../../fx'
import { isFake, itemsOf, type DispatchArg } from '../../ops/fake'
import type { ObservedCall } from '../../trace/operator_usage'

/** An argument's value: a tensor's metadata, null for None, undefined for a value that the graph does not contain. */
export type CallValue = TensorMeta | Exclude<Arg, Node> | undefined

export interface OperatorCall {
  /** `_C.silu_and_mul.default`. */
  target: string
  /** Positional arguments, then those by name. */
  positional: readonly CallValue[]
  named: ReadonlyMap<string, CallValue>
  /** The version of auto_functionalized through which it is called. */
  functionalized: 0 | 1 | 2
  /** The outputs; null if unknown. */
  outs: readonly (TensorMeta | null)[] | null
  /** Arguments that auto_functionalized names as written. */
  writes?: readonly string[]
  /** Among the values that auto_functionalized returns for written arguments, those that the graph reads. */
  written?: readonly (TensorMeta | null)[]
}

/** Calls in a graph. */
export function callsIn(graph: Graph): OperatorCall[] {
  return [...graph.nodes()].flatMap((node) => {
    if (node.op !== 'call_function') return []
    const wrapped = wrappedCall(node)
    if (wrapped) return [wrapped]
    if (!isOverload(node.target)) return []
    const named = new Map([...node.kwargs].map(([k, v]) => [k, valueOf(v)]))
    return [
      {
        target: node.target,
        positional: node.args.map(valueOf),
        named,
        functionalized: 0,
        outs: outsOf(node.meta.val),
      },
    ]
  })
}

function wrappedCall(node: Node): OperatorCall | null {
  const v2 = node.target === 'higher_order.auto_functionalized_v2'
  const [op] = node.args
  if (!v2 && node.target !== 'higher_order.auto_functionalized') return null
  if (!isKind(op, 'op')) return null
  const named = new Map<string, CallValue>()
  const bases = node.kwargs.get('_all_bases')
  const writes: string[] = []
  for (const [k, v] of node.kwargs) {
    const written = v2 && /^_(.+)_base_index$/.exec(k)
    if (written) {
      const base = typeof v === 'bigint' && Array.isArray(bases) ? (bases[Number(v)] as Arg | undefined) : null
      named.set(written[1]!, valueOf(base ?? null))
      if (base) writes.push(written[1]!)
    } else if (!k.startsWith('_')) named.set(k, valueOf(v))
  }
  const target = isOverload(op.name) ? op.name : `${op.name}.default`
  const call = { target, positional: [], named, outs: null }
  return v2 ? { ...call, functionalized: 2, writes } : { ...call, functionalized: 1, written: writtenOuts(node) }
}

/** Version 1 returns None, then each written argument, for an operator without results. */
function writtenOuts(node: Node): (TensorMeta | null)[] {
  const outs: (TensorMeta | null)[] = []
  for (const user of node.users) {
    const [, index] = user.args
    if (!isGetitem(user) || typeof index !== 'bigint' || index < 1n) continue
    const { val } = user.meta
    outs[Number(index) - 1] = val?.kind === 'tensor' ? val : null
  }
  return Array.from(outs, (o) => o ?? null)
}

/** A call that the tracer ran. */
export function observedCall({ schema, values, out }: ObservedCall): OperatorCall {
  const named = new Map([...values].map(([k, v]) => [k, traced(v)]))
  const outs = itemsOf(out) ?? (isFake(out) ? [out] : null)
  return {
    target: schema.name,
    positional: [],
    named,
    functionalized: 0,
    outs: outs && outs.map((o) => (isFake(o) ? o.meta : null)),
  }
}

const traced = (value: DispatchArg): CallValue => {
  if (isFake(value)) return value.meta
  const items = itemsOf(value)
  return items ? (items.map(traced) as unknown as CallValue) : (value as CallValue)
}

function valueOf(arg: Arg): CallValue {
  if (arg instanceof Node) {
    const { val } = arg.meta
    if (val?.kind === 'tensor') return val
    return val?.kind === 'scalar' ? (val.value as CallValue) : undefined
  }
  if (Array.isArray(arg)) return (arg as readonly Arg[]).map(valueOf) as unknown as CallValue
  return arg as CallValue
}

function outsOf(val: Val | undefined): readonly (TensorMeta | null)[] | null {
  if (val?.kind === 'tensor') return [val]
  return val?.kind === 'vals' ? val.items.map((v) => (v?.kind === 'tensor' ? v : null)) : null
}

/** The call's arguments by the names of a schema. */
export function byName(call: OperatorCall, names: readonly string[]): ReadonlyMap<string, CallValue> {
  return new Map([...call.positional.map((v, i): [string, CallValue] => [names[i] ?? `arg${i}`, v]), ...call.named])
}

export const isTensor = (v: CallValue): v is TensorMeta => isKind(v, 'tensor')
