/** torch.vmap as functorch traces it: batching rules by operator; other operators decompose or are refused by name. */
import type { Dim } from '../../fx'
import { dimArgs, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../ops/fake'
import type { Dispatcher } from '../../ops/op_call'
import { hasTag } from '../../ops/schema'
import { batchRuleOf } from '../../ops/registry'
import { type BatchedCall, unsupported } from '../../ops/batched_call'
import { elementwise } from '../../ops/aten/batching/elementwise'

const NAMESPACES = new Set(['aten', 'prims'])

/** Undefined: no rule applies, and the operator may decompose. */
export function byBatchingRule(call: BatchedCall): DispatchArg | undefined {
  const { target } = call
  const name = target.slice(target.indexOf('.') + 1)
  if (!NAMESPACES.has(target.slice(0, -name.length - 1))) return undefined
  const rule = batchRuleOf(name)
  if (rule) return rule(call)
  return hasTag(target, 'pointwise') && !hasTag(target, 'nondeterministic_seeded') ? elementwise(call) : undefined
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
