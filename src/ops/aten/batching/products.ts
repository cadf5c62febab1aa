/** Batching rules of matrix products, by at::matmul of tensors with the batch first (BatchRulesLinearAlgebra.cpp). */
import { rankOf, type DispatchArg, type FakeTensor } from '../../fake'
import { unsupported, type BatchedCall, type Batching, type BatchRule } from '../../batched_call'
import { moved } from './shapes'

/** Undefined: the operator decomposes on the batched tensors. */
const product =
  (right: string): BatchRule =>
  (b) =>
    b.wrap(b.op('aten.matmul.default', b.front(b.call.tensor('self')), b.front(b.call.tensor(right))))

const matrixVector: BatchRule = (b) => {
  const [matrix, vector] = [b.call.tensor('self'), b.call.tensor('vec')]
  const { value, dim } = b.physical(matrix)
  if (!b.isBatched(vector)) return b.wrap(b.op('aten.matmul.default', moved(b, value, dim!), vector))
  const column = b.physical(vector)
  if (dim === null) {
    const last = b.op('aten.movedim.int', column.value, BigInt(column.dim!), -1n)
    return b.wrap(b.op('aten.matmul.default', value, last), 1)
  }
  const right = b.op('aten.unsqueeze.default', b.front(vector), -1n)
  const out = b.op('aten.matmul.default', moved(b, value, dim), right)
  return b.wrap(b.op('aten.squeeze.dim', out, -1n))
}

const dot: BatchRule = (b) => {
  const [x, y] = [b.call.tensor('self'), b.call.tensor('tensor')]
  if (!b.isBatched(x) || !b.isBatched(y)) {
    const of = (t: FakeTensor): FakeTensor => (b.isBatched(t) ? b.front(t) : t)
    return b.wrap(b.op('aten.matmul.default', of(x), b.op('aten.t.default', of(y))))
  }
  const right = b.op('aten.unsqueeze.default', b.front(b.call.tensor('tensor')), -1n)
  const left = b.op('aten.unsqueeze.default', b.front(b.call.tensor('self')), -2n)
  const out = b.op('aten.matmul.default', left, right)
  return b.wrap(b.op('aten.squeeze.dim', b.op('aten.squeeze.dim', out, -1n), -1n))
}

const addmm: BatchRule = (b) => {
  if (b.call.number('alpha') !== 1) throw unsupported(`${b.target} with alpha`)
  const out = b.op('aten.mm.default', b.call.tensor('mat1'), b.call.tensor('mat2'))
  const bias = b.op('aten.mul.Scalar', b.call.tensor('self'), b.call.get('beta'))
  return b.op('aten.add.Tensor', bias, out)
}

/** A vector times a matrix squeezes its row in place. */
const rowTimes = (b: BatchedCall, x: FakeTensor, matrix: FakeTensor): DispatchArg =>
  b.op('aten.squeeze_.dim', b.op('aten.mm.default', b.op('aten.unsqueeze.default', x, 0n), matrix), 0n)

const matmul: BatchRule = (b) => {
  const [x, y] = [b.call.tensor('self'), b.call.tensor('other')]
  return rankOf(x) === 1 && rankOf(y) === 2 ? rowTimes(b, x, y) : undefined
}

const linear: BatchRule = (b) => {
  const [x, weight] = [b.call.tensor('input'), b.call.tensor('weight')]
  if (rankOf(x) !== 1 || rankOf(weight) !== 2 || b.call.has('bias')) return undefined
  return rowTimes(b, x, b.op('aten.t.default', weight))
}

export const BATCHING: Batching = {
  'mm bmm': product('mat2'),
  mv: matrixVector,
  dot,
  addmm,
  matmul,
  linear,
}
