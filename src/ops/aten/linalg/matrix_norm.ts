/** Norms of matrices, as linalg_matrix_norm reduces them to norms of vectors and singular values. */
import { dimArgs, type DispatchArg, type FakeTensor, itemsOf, toDim } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Rules } from '../../operator'
import { runtimeError } from '../../torch_error'

const dimsOf = (c: OpCall, x: FakeTensor): [number, number] => {
  const [a, b] = itemsOf(c.get('dim'))!.map((d) => wrapDim(Number(toDim(d)), x.meta.shape.length))
  if (a === undefined || b === undefined || a === b)
    throw runtimeError('linalg.matrix_norm: dim must be a 2-tuple of different dimensions')
  return [a, b]
}

const typed = (c: OpCall): Record<string, DispatchArg> => (c.has('dtype') ? { dtype: c.get('dtype') } : {})

/** The singular values over two dimensions, which go to the end first. */
function singularValues(c: OpCall, x: FakeTensor, dims: readonly [number, number]): FakeTensor {
  const rest = x.meta.shape.map((_, i) => i).filter((i) => !dims.includes(i))
  return c.op('aten.linalg_svdvals.default', c.op('aten.permute.default', x, [...rest, ...dims].map(BigInt)))
}

/** For keepdim: a reduced last dimension of size 1 becomes two, which go where the matrices were. */
function keptDims(c: OpCall, x: FakeTensor, reduced: FakeTensor, dims: readonly [number, number]): FakeTensor {
  const order = [...x.meta.shape.map((_, i) => i).filter((i) => !dims.includes(i)), ...dims]
  const back = order.map((_, i) => BigInt(order.indexOf(i)))
  return c.op('aten.permute.default', c.op('aten.unsqueeze.default', reduced, -1n), back)
}

function byOrder(c: OpCall): FakeTensor {
  const x = c.tensor('self')
  const ord = c.number('ord')!
  const dims = dimsOf(c, x)
  const keep = c.bool('keepdim')
  const extreme = ord > 0 ? 'aten.amax.default' : 'aten.amin.default'
  if (Math.abs(ord) === 2) {
    const out = c.op(extreme, singularValues(c, x, dims), [-1n], keep)
    return keep ? keptDims(c, x, out, dims) : out
  }
  if (Math.abs(ord) !== 1 && Math.abs(ord) !== Infinity)
    throw runtimeError(`linalg.matrix_norm: Order ${ord} not supported.`)
  // The infinity norm is the 1-norm of the transpose.
  const [over, then] = Math.abs(ord) === Infinity ? [dims[1], dims[0]] : dims
  const norms = c.call('aten.linalg_vector_norm.default', [x, 1, [BigInt(over)], keep], typed(c)) as FakeTensor
  return c.op(extreme, norms, [BigInt(!keep && over < then ? then - 1 : then)], keep)
}

function byName(c: OpCall): DispatchArg {
  const x = c.tensor('self')
  const dims = dimsOf(c, x)
  const ord = c.string('ord')
  if (ord === 'fro')
    return c.call('aten.linalg_vector_norm.default', [x, 2n, dimArgs(dims), c.get('keepdim')], typed(c))
  if (ord !== 'nuc') throw runtimeError(`linalg.matrix_norm: Order ${ord} not supported.`)
  const out = c.op('aten.sum.dim_IntList', singularValues(c, x, dims), [-1n], c.get('keepdim'))
  return c.bool('keepdim') ? keptDims(c, x, out, dims) : out
}

export const rules = (): Rules => ({
  'aten.linalg_matrix_norm.default': { implicit: byOrder },
  'aten.linalg_matrix_norm.str_ord': { implicit: byName },
})
