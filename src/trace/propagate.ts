/**
 * Computes the values of a parsed graph by running its operators on fake tensors, which yields each value's storage and
 * storage offset as after a trace. The graph's own shapes and strides take precedence; computed ones fill the gaps.
 */
import { isOverload, operatorBehind, type Graph, type Node, type TensorMeta, type Val } from '../fx'
import { isFake, visitFakes, type DispatchArg, type FakeTensor } from '../ops/fake'
import { argumentValues } from './argument_values'
import { TorchError, type Tracer } from './types'

export function valuesOf(graph: Graph, tracer: Tracer): Map<Node, DispatchArg> {
  const values = new Map<Node, DispatchArg>()
  for (const node of graph.nodes()) values.set(node, valueOf(node, values, tracer))
  return values
}

/**
 * The calls on known values that have no value by Fusescope's rules: PyTorch's kernels check fewer of their arguments. Without
 * Python, torch functions and methods are skipped.
 * @param looks whether a call is examined; others may run the user's code
 */
export function refusedCalls(graph: Graph, tracer: Tracer, looks: (node: Node) => boolean): Set<Node> {
  const values = new Map<Node, DispatchArg>()
  const refused = new Set<Node>()
  for (const node of graph.nodes()) {
    const known = node.meta.val
    if (known) values.set(node, ofVal(known, tracer))
    const open = node.inputs().some((n) => !values.has(n))
    if (open || !/^call_(?:function|method)$/.test(node.op) || !looks(node)) continue
    if (!isOverload(node.target) && tracer.python === null) continue
    try {
      const made = tracer.infer(calledBy(node), ...argumentValues(node, values))
      if (!known) values.set(node, made)
    } catch {
      refused.add(node)
    }
  }
  return refused
}

function valueOf(node: Node, values: ReadonlyMap<Node, DispatchArg>, tracer: Tracer): DispatchArg {
  const known = node.meta.val
  if (node.op !== 'call_function' && node.op !== 'call_method') return known ? ofVal(known, tracer) : null
  const [args, kwargs] = argumentValues(node, values)
  try {
    const made = tracer.infer(calledBy(node), args, kwargs)
    if (!isFake(made)) return made
    return {
      ...made,
      meta: { ...made.meta, ...(known?.kind === 'tensor' ? written(known) : {}), ...offset(made, args) },
    }
  } catch (e) {
    // Without a rule or known inputs: the graph's metadata, with its own storage.
    if (!isOfUser(e)) throw e
    return known ? ofVal(known, tracer) : null
  }
}

/** A node's call in the tracer's form: a method begins with a dot. */
export const calledBy = (node: Node): string =>
  node.op === 'call_method' ? `.${node.target}` : operatorBehind(node.target)

/** Raised by an operator or by a fake implementation in Python. */
export const isOfUser = (e: unknown): boolean => e instanceof TorchError || (e instanceof Error && 'pythonType' in e)

const written = ({ shape, stride, dtype, device }: TensorMeta): Partial<TensorMeta> => ({
  shape,
  dtype,
  ...(stride && { stride }),
  ...(device && { device }),
})

/** A view without an explicit offset has its base's offset. */
function offset(made: FakeTensor, args: readonly DispatchArg[]): Pick<TensorMeta, 'storageOffset'> {
  if (made.meta.storageOffset !== undefined) return { storageOffset: made.meta.storageOffset }
  let found: Pick<TensorMeta, 'storageOffset'> = {}
  for (const a of args)
    visitFakes(a, ({ storage, meta }) => {
      if (storage === made.storage && meta.storageOffset !== undefined) found = { storageOffset: meta.storageOffset }
    })
  return found
}

/** The value of a node whose metadata is known. */
export function ofVal(val: Val, tracer: Tracer): DispatchArg {
  if (val.kind === 'tensor') return tracer.fake(val)
  if (val.kind === 'scalar') return val.value
  const items = val.items.map((v) => v && ofVal(v, tracer))
  return val.list ? items : { kind: 'tuple', items }
}
