/** Traces torch._prims_common.clone_preserve_strides. */
import { dimArgs, isFake, itemsOf, toDim, type DispatchArg, type FakeTensor } from '../../ops/fake'
import { stridesOf } from '../../ops/strides'
import type { Tracer } from '../../trace/types'

/** A stride-preserving clone, over a clone of the storage that the tensor spans; for a list, a clone of each item. */
export function clonePreservingStrides(value: DispatchArg, tracer: Tracer): DispatchArg {
  if (isFake(value)) return cloneOf(value, tracer)
  const items = itemsOf(value)
  return items ? items.map((v) => clonePreservingStrides(v, tracer)) : value
}

function cloneOf(x: FakeTensor, tracer: Tracer): DispatchArg {
  const call = (name: string, ...args: DispatchArg[]): DispatchArg => tracer.call(name, args, new Map())
  const { shape, storageOffset = 0 } = x.meta
  const [size, stride, offset] = [dimArgs(shape), dimArgs(stridesOf(x.meta)), dimArgs([storageOffset])[0]!]
  const needed = requiredLength(size, stride, offset, tracer)
  const buffer = call('aten.clone.default', call('aten.as_strided.default', x, [needed], [1n], 0n))
  return call('aten.as_strided.default', buffer, size, stride, offset)
}

/** compute_required_storage_length, operation by operation: each operation on a symbolic size becomes a node. */
function requiredLength(
  size: readonly DispatchArg[],
  stride: readonly DispatchArg[],
  offset: DispatchArg,
  tracer: Tracer,
): DispatchArg {
  const op = (name: string, a: DispatchArg, b: DispatchArg): DispatchArg =>
    tracer.call(`operator.${name}`, [a, b], new Map())
  if (toDim(size.reduce((p, d) => op('mul', p, d), 1n)) === 0) return 0n
  const furthest = size.reduce((sum, d, i) => op('add', sum, op('mul', op('sub', d, 1n), stride[i]!)), 0n)
  return op('add', op('add', 1n, offset), furthest)
}
