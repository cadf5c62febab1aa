/** Batching rules of elementwise operators: batches are moved to the front and ranks aligned (BatchRulesBinaryOps.cpp). */
import { dtype as dtypeArg, dtype } from '../../../fx'
import { isFake, isNumber, rankOf, dimArgs, type DispatchArg, type FakeTensor } from '../../fake'
import { elementwiseDtype } from '../../promote'
import { unsupported, type BatchedCall, type Batching } from '../../batched_call'
import { withBatch } from './shapes'

type Side = readonly [name: string, logical: FakeTensor, value: FakeTensor]

/** handleScalarTypePromotion: a batch of scalars promotes like a scalar, although its physical tensor has a dimension. */
function promote(b: BatchedCall, sides: readonly Side[]): readonly Side[] {
  const [x, y] = sides as readonly [Side, Side]
  const scalar = ([, t]: Side): boolean => rankOf(t) === 0 && b.isBatched(t)
  if (scalar(x) === scalar(y) || x[1].meta.dtype === y[1].meta.dtype) return sides
  const common = elementwiseDtype([x[1], y[1]])
  return sides.map(([name, logical, value]) => [
    name,
    logical,
    value.meta.dtype === common ? value : b.op('prims.convert_element_type.default', value, dtype(common)),
  ])
}

/** Elementwise operators that PyTorch does not tag pointwise, or only in some overloads. */
export const BATCHING: Batching = {
  'hardswish _prelu_kernel log_sigmoid_forward floor_divide _to_copy zeros_like ones_like full_like detach alias lift_fresh_copy rsub copy_':
    elementwise,
  // gelu_backward_batch_rule: both have a batch, because its kernel does not broadcast.
  gelu_backward: (b) =>
    b.wrap(
      b.again({ grad_output: withBatch(b, b.call.tensor('grad_output')), self: withBatch(b, b.call.tensor('self')) }),
    ),
  'masked_fill.Tensor': (b) =>
    b.isBatched(b.call.get('value')) ? b.op('aten.where.self', ...at(b, 'mask', 'value', 'self')) : elementwise(b),
}

const at = (b: BatchedCall, ...names: readonly string[]): DispatchArg[] => names.map((n) => b.call.get(n))

export function elementwise(b: BatchedCall): DispatchArg {
  const named = b.call.schema.args.map((a) => [a.name, b.call.get(a.name)] as const)
  const tensors = named.filter((x): x is readonly [string, FakeTensor] => isFake(x[1]))
  const operands = tensors.length + named.filter(([name, v]) => isTensorArgument(b, name) && isNumber(v)).length
  const written = b.call.schema.args.find((a) => a.type.write)?.name
  if (operands === 1 && written === undefined) {
    const [name, t] = tensors[0]!
    const { value, dim } = b.physical(t)
    return b.wrap(b.again({ [name]: value }), dim!)
  }
  const physical = aligned(b, tensors)
  const values = { ...physical, ...promotedWithNumber(b, tensors, named, physical) }
  return written === undefined ? b.wrap(b.again(values)) : inPlace(b, b.call.tensor(written), values)
}

/**
 * A number together with a batch of scalars is promoted as a tensor without dimensions: the scalars get the common dtype, and the
 * number becomes a tensor of that dtype, unless its own dtype is the common one.
 */
function promotedWithNumber(
  b: BatchedCall,
  tensors: readonly (readonly [string, FakeTensor])[],
  named: readonly (readonly [string, DispatchArg])[],
  physical: Record<string, DispatchArg>,
): Record<string, DispatchArg> {
  const [name, t] = tensors[0]!
  const other = named.find(([n, v]) => isTensorArgument(b, n) && isNumber(v))
  if (!other || tensors.length > 1 || rankOf(t) > 0) return {}
  const [otherName, number] = other
  const common = elementwiseDtype([t, number])
  const cast = (x: FakeTensor): FakeTensor =>
    x.meta.dtype === common ? x : b.op('prims.convert_element_type.default', x, dtypeArg(common))
  const scalars = cast(physical[name] as FakeTensor)
  const own = typeof number === 'bigint' ? 'int64' : typeof number === 'boolean' ? 'bool' : 'float64'
  if (own === common) return { [name]: scalars }
  const options = { device: t.meta.device ?? null, pin_memory: false }
  const made = b.call.call('aten.scalar_tensor.default', [number], options) as FakeTensor
  return { [name]: scalars, [otherName]: cast(made) }
}

const isTensorArgument = (b: BatchedCall, name: string): boolean =>
  b.call.schema.args.some((a) => a.name === name && a.type.base === 'Tensor')

function aligned(b: BatchedCall, tensors: readonly (readonly [string, FakeTensor])[]): Record<string, DispatchArg> {
  const rank = Math.max(...tensors.map(([, t]) => rankOf(t)))
  const fronts = tensors.map(([name, t]) => [name, t, b.front(t)] as const)
  const promoted = tensors.length === 2 ? promote(b, fronts) : fronts
  return Object.fromEntries(promoted.map(([n, t, v]) => [n, padded(b, t, v, rank)]))
}

/** maybePadToLogicalRank: sizes of 1 after the batch. */
function padded(b: BatchedCall, t: FakeTensor, value: FakeTensor, rank: number): FakeTensor {
  const missing = rank - rankOf(t)
  if (!b.isBatched(t) || missing === 0) return value
  const [batch, ...rest] = value.meta.shape
  return b.op('aten.view.default', value, dimArgs([batch!, ...new Array<number>(missing).fill(1), ...rest]))
}

function inPlace(b: BatchedCall, self: FakeTensor, values: Record<string, DispatchArg>): DispatchArg {
  if (b.physical(self).dim !== 0) throw unsupported(`${b.target} on a tensor without a batch as its first dimension`)
  b.again(values)
  return self
}
