/** Batching rules of x[…] with index tensors (functorch's BatchRulesScatterOps.cpp). */
import { dimArgs, isFake, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../fake'
import { broadcastShapes } from '../../strides'
import { sameDims } from '../../sym'
import { unsupported, type BatchedCall, type Batching } from '../../batched_call'
import { withBatch } from './shapes'

type Indices = readonly (FakeTensor | null)[]

const given = (b: BatchedCall): Indices =>
  (b.call.get('indices') as readonly DispatchArg[]).map((i) => (isFake(i) ? i : null))

const rankOfIndices = (indices: Indices): number => Math.max(...indices.map((i) => (i ? rankOf(i) : 0)))

/** True if there is no None between two index tensors. */
const adjacent = (indices: Indices): boolean =>
  indices.findLastIndex((i) => i) - indices.findIndex((i) => i) === indices.filter((i) => i).length - 1

/** The physical indices of a self whose batch dimension comes first, or which has none. */
function batchIndices(b: BatchedCall, indices: Indices, batched: boolean): (FakeTensor | null)[] {
  const rank = rankOfIndices(indices)
  if (indices.some((i) => i && i.meta.dtype === 'bool')) throw unsupported(`${b.target} with a mask`)
  const made = indices.map((i) => i && padded(b, i, rank))
  if (!batched) return made
  if (!indices.some((i) => i && b.isBatched(i))) return [null, ...made]
  let each = b.op('aten.arange.start', 0n, dimArgs([b.size])[0]!)
  for (let i = 0; i < rank; i++) each = b.op('aten.unsqueeze.default', each, -1n)
  return [each, ...made]
}

/** Batched indices have one rank: sizes of 1 follow the batch dimension. */
function padded(b: BatchedCall, index: FakeTensor, rank: number): FakeTensor {
  const front = b.front(index)
  const missing = rank - rankOf(index)
  if (missing === 0 || !b.isBatched(index)) return front
  const [size, ...rest] = shapeOf(front)
  return b.op('aten.view.default', front, dimArgs([size!, ...new Array<number>(missing).fill(1), ...rest]))
}

function index(b: BatchedCall): DispatchArg {
  const self = b.call.tensor('self')
  const indices = given(b)
  const batched = b.isBatched(self)
  const out = b.op('aten.index.Tensor', b.front(self), batchIndices(b, indices, batched))
  const lead = indices.findIndex((i) => i)
  const together = adjacent(indices)
  if (!batched) return b.wrap(out, together ? lead : 0)
  if (!indices.some((i) => i && b.isBatched(i))) return b.wrap(out, together ? 0 : rankOfIndices(indices))
  if (!together || lead === 0) return b.wrap(out)
  // The batch dimension, and a None between the index tensors, move the indexed dimensions to the front.
  const rank = rankOfIndices(indices)
  const order = shapeOf(out).map((_, i) => (i === 0 || i > rank + lead ? i : i > lead ? i - lead : i + rank))
  return b.wrap(b.op('aten.permute.default', out, dimArgs(order)))
}

function indexPut(b: BatchedCall): DispatchArg {
  const [self, values] = [b.call.tensor('self'), b.call.tensor('values')]
  const indices = given(b)
  if (b.target.startsWith('aten.index_put_.') && !b.isBatched(self)) throw unsupported(`${b.target} to a shared tensor`)
  const target = withBatch(b, self)
  const put = withBatch(b, values)
  const all = batchIndices(b, indices, true)
  const tensors = all.filter(isFake)
  const common = broadcastShapes(tensors.map(shapeOf))
  // functorch compares the values with the indexed tensor: it expands the indices, and drops the result.
  for (const t of tensors) if (!sameDims(shapeOf(t), common)) b.op('aten.expand.default', t, dimArgs(common))
  if (!adjacent(all)) throw unsupported(`${b.target} around other dimensions`)
  const rank = common.length + rankOf(target) - tensors.length
  const [size, ...rest] = shapeOf(put)
  const ones = new Array<number>(Math.max(rank - rankOf(put), 0)).fill(1)
  const view = ones.length > 0 ? b.op('aten.view.default', put, dimArgs([size!, ...ones, ...rest])) : put
  return b.wrap(b.again({ self: target, indices: all, values: view }))
}

export const BATCHING: Batching = {
  'index.Tensor': index,
  'index_put index_put_': indexPut,
}
