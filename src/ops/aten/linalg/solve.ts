/** Linear systems. */
import type { Dim } from '../../../fx'
import { type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { broadcastShapes } from '../../strides'
import { sameDims } from '../../sym'
import { TorchError } from '../../torch_error'
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

/** The right side in the sizes that it broadcasts to, column by column. */
function rightSide(c: OpCall, name: string, other: FakeTensor): FakeTensor {
  const b = c.tensor(name)
  const batch = broadcastShapes([b.meta.shape.slice(0, -2), other.meta.shape.slice(0, -2)])
  return columns(c, b.meta.dtype, [...batch, ...b.meta.shape.slice(-2)], b)
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
})
