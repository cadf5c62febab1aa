/** Linear systems, and norms of matrices, which linalg_matrix_norm reduces to norms of vectors and singular values. */
import type { Dim } from '../../../fx'
import { type DispatchArg, type FakeTensor, itemsOf, dimArgs, toDim } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Rules } from '../../operator'
import { broadcastShapes } from '../../strides'
import { sameDims } from '../../sym'
import { TorchError, runtimeError } from '../../torch_error'
import { checked } from './factor'
import { columns, ints, matricesOf, squareOf } from './matrices'

const tuple = (...items: DispatchArg[]): DispatchArg => ({ kind: 'tuple', items })

/** linalg_solve_is_vector_rhs */
const isVector = (a: FakeTensor, b: FakeTensor): boolean =>
  b.meta.shape.length === 1 ||
  (a.meta.shape.length - 1 === b.meta.shape.length && sameDims(a.meta.shape.slice(0, -1), b.meta.shape))

function solved(c: OpCall): DispatchArg {
  const a = squareOf(c, 'A', 'linalg.solve')
  const b = c.tensor('B')
  const vector = isVector(a.x, b)
  const right = vector ? [...b.meta.shape, 1] : b.meta.shape
  const shape: Dim[] = [...broadcastShapes([a.batch, right.slice(0, -2)]), ...right.slice(-2)]
  const { dtype, device } = b.meta
  const result = vector
    ? c.fresh(dtype, shape.slice(0, -1), device)
    : c.bool('left')
      ? columns(c, dtype, shape, b)
      : c.fresh(dtype, shape, device)
  const lu = columns(c, a.x.meta.dtype, a.x.meta.shape, a.x)
  return tuple(result, lu, ints(c, a.x.meta.shape.slice(0, -1), a.x), ints(c, a.batch, a.x))
}

/** The right side, broadcast to its final sizes, column by column. */
function rightSide(c: OpCall, name: string, other: FakeTensor): FakeTensor {
  const b = c.tensor(name)
  const batch = broadcastShapes([b.meta.shape.slice(0, -2), other.meta.shape.slice(0, -2)])
  return columns(c, b.meta.dtype, [...batch, ...b.meta.shape.slice(-2)], b)
}

const dimsOf = (c: OpCall, x: FakeTensor): [number, number] => {
  const [a, b] = itemsOf(c.get('dim'))!.map((d) => wrapDim(Number(toDim(d)), x.meta.shape.length))
  if (a === undefined || b === undefined || a === b)
    throw runtimeError('linalg.matrix_norm: dim must be a 2-tuple of different dimensions')
  return [a, b]
}

const typed = (c: OpCall): Record<string, DispatchArg> => (c.has('dtype') ? { dtype: c.get('dtype') } : {})

/** The singular values over two dimensions, which are first moved to the end. */
function singularValues(c: OpCall, x: FakeTensor, dims: readonly [number, number]): FakeTensor {
  const rest = x.meta.shape.map((_, i) => i).filter((i) => !dims.includes(i))
  return c.op('aten.linalg_svdvals.default', c.op('aten.permute.default', x, [...rest, ...dims].map(BigInt)))
}

/** For keepdim: the last dimension of the reduced result becomes two of size 1, which move to the matrix dimensions' positions. */
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
  'aten._linalg_solve_ex': { meta: solved },
  'aten.linalg_solve_ex': {
    implicit: (c) => {
      const options: Record<string, DispatchArg> = c.bool('left') ? {} : { left: false }
      const out = itemsOf(c.call('aten._linalg_solve_ex.default', [c.tensor('A'), c.tensor('B')], options))!
      return tuple(out[0]!, out[3]!)
    },
  },
  'aten.linalg_solve': {
    implicit: (c) => {
      const options: Record<string, DispatchArg> = c.bool('left') ? {} : { left: false }
      const out = c.call('aten._linalg_solve_ex.default', [c.tensor('A'), c.tensor('B')], options)
      return checked(c, out, 3, 'torch.linalg.solve')
    },
  },
  'aten.linalg_solve_triangular': { meta: (c) => rightSide(c, 'B', c.tensor('self')) },
  'aten.triangular_solve': {
    meta: (c) => {
      const a = matricesOf(c, 'A', 'triangular_solve')
      return tuple(rightSide(c, 'self', a.x), columns(c, a.x.meta.dtype, a.x.meta.shape, a.x))
    },
  },
  'aten.cholesky_solve': { meta: (c) => rightSide(c, 'self', c.tensor('input2')) },
  'aten.linalg_lstsq': {
    meta: (c) => {
      throw new TorchError('DynamicOutputShapeException', c.schema.name)
    },
  },
  'aten.linalg_matrix_norm.default': { implicit: byOrder },
  'aten.linalg_matrix_norm.str_ord': { implicit: byName },
})
