/** torch.vmap as functorch traces it: batching rules by operator; other operators decompose or are refused by name. */
import type { Dim } from '../../fx'
import { dimArgs, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../ops/fake'
import type { Dispatcher } from '../../ops/op_call'
import { BatchedCall, unsupported } from './batched_call'
import { ELEMENTWISE, elementwise } from './elementwise'
import { PRODUCT_RULES } from './products'
import { SHAPE_RULES } from './shapes'

export { BatchedCall, levelOf, logicalMeta } from './batched_call'

const NAMESPACES = new Set(['aten', 'prims'])

/** Undefined: no rule applies, and the operator may decompose. */
export function byBatchingRule(call: BatchedCall): DispatchArg | undefined {
  const [namespace, op, overload] = call.target.split('.') as [string, string, string]
  if (!NAMESPACES.has(namespace)) return undefined
  const rule = SHAPE_RULES.get(`${op}.${overload}`) ?? SHAPE_RULES.get(op) ?? PRODUCT_RULES.get(op)
  return rule ? rule(call) : ELEMENTWISE.has(op) ? elementwise(call) : undefined
}

export function refuseBatch(call: BatchedCall): never {
  throw unsupported(call.target)
}

/** The result of a mapped function with its batch as dimension `dim`; a result without a batch is expanded. */
export function withoutBatch(on: Dispatcher, t: FakeTensor, level: number, dim: number, size: Dim): FakeTensor {
  if (t.batch?.level !== level) {
    const at = dim < 0 ? dim + rankOf(t) + 1 : dim
    const sizes = [...shapeOf(t)]
    sizes.splice(at, 0, size)
    const one = on.call('aten.unsqueeze.default', [t, BigInt(at)])
    return on.call('aten.expand.default', [one, dimArgs(sizes)]) as FakeTensor
  }
  const { value, dim: at } = t.batch
  const to = dim < 0 ? dim + rankOf(value) : dim
  return at === to ? value : (on.call('aten.movedim.int', [value, BigInt(at), BigInt(to)]) as FakeTensor)
}
