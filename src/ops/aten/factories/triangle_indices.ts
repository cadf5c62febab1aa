/** tril_indices and triu_indices: the positions of a triangle, row by row (torch/_refs/__init__.py). */
import { dtype as dtypeArg } from '../../../fx'
import type { DispatchArg, FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { cast } from '../elementwise/elementwise_rule'
import { CPU } from './empty'

interface Sizes {
  readonly trapezoid: number
  readonly rectangle: number
  readonly first: number
}

/** The elements of the trapezoid at the top and of the rectangle below, and the length of the first row. */
function lowerSizes(row: number, col: number, offset: number): Sizes {
  if (row === 0 || col === 0) return { trapezoid: 0, rectangle: 0, first: 0 }
  const first = offset > 0 ? Math.min(col, 1 + offset) : Number(row + offset > 0)
  const last = Math.max(0, Math.min(col, row + offset))
  const all = Math.max(0, Math.min(row, row + offset))
  const rows = last - first + 1
  const trapezoid = Math.floor(((first + last) * rows) / 2)
  return { trapezoid, rectangle: Math.max(0, (all - rows) * col), first }
}

function upperSizes(row: number, col: number, offset: number): Sizes {
  if (row === 0 || col === 0) return { trapezoid: 0, rectangle: 0, first: 0 }
  const first = offset > 0 ? Math.max(0, col - offset) : col
  const rectangle = Math.max(0, Math.min(row, -offset) * col)
  const below = lowerSizes(row, col, offset - 1)
  return { trapezoid: row * col - (below.trapezoid + below.rectangle) - rectangle, rectangle, first }
}

const arange = (c: OpCall, count: number, dtype: string): FakeTensor =>
  c.call('aten.arange.start', [0n, BigInt(count)], {
    dtype: dtypeArg(dtype),
    device: c.device() ?? CPU,
    pin_memory: false,
  }) as FakeTensor

const add = (c: OpCall, x: FakeTensor, v: DispatchArg): FakeTensor => c.op('aten.add.Tensor', x, v)
const mul = (c: OpCall, x: DispatchArg, y: DispatchArg): FakeTensor => c.op('aten.mul.Tensor', x, y)
const stacked = (c: OpCall, rows: FakeTensor[], columns: FakeTensor[]): FakeTensor =>
  c.op('aten.stack.default', [c.op('aten.cat.default', rows), c.op('aten.cat.default', columns)])

const lower: OpDef = {
  decomp: (c) => {
    const [row, col, offset] = [c.int('row'), c.int('col'), c.int('offset')]
    const dtype = c.dtype() ?? 'int64'
    const { trapezoid, rectangle, first } = lowerSizes(row, col, offset)
    const rowOffset = Math.max(0, -offset)
    const index = arange(c, trapezoid, 'float64')
    const b = first - 0.5
    const root = c.op('aten.sqrt.default', add(c, mul(c, index, 2n), b * b))
    const rows = c.op('aten.floor.default', add(c, root, -b))
    const before = mul(c, mul(c, add(c, rows, BigInt(2 * first - 1)), rows), 0.5)
    const columns = c.op('aten.floor.default', c.op('aten.sub.Tensor', index, before))
    const topRows = cast(c, add(c, rows, BigInt(rowOffset)), dtype)
    const topColumns = cast(c, columns, dtype)
    const below = arange(c, rectangle, dtype)
    const quotient = c.op('aten.floor_divide.default', below, BigInt(col))
    const belowRows = add(c, quotient, BigInt(col - first + 1 + rowOffset))
    const belowColumns = c.op('aten.remainder.Scalar', below, BigInt(col))
    return stacked(c, [topRows, belowRows], [topColumns, belowColumns])
  },
}

const upper: OpDef = {
  decomp: (c) => {
    const [row, col, offset] = [c.int('row'), c.int('col'), c.int('offset')]
    const dtype = c.dtype() ?? 'int64'
    const { trapezoid, rectangle, first } = upperSizes(row, col, offset)
    const above = arange(c, rectangle, dtype)
    const aboveRows = c.op('aten.floor_divide.default', above, BigInt(col))
    const aboveColumns = c.op('aten.remainder.Scalar', above, BigInt(col))
    const index = arange(c, trapezoid, 'float64')
    const b = -0.5 - first
    const root = c.op('aten.sqrt.default', c.op('aten.rsub.Scalar', mul(c, index, 2n), b * b))
    const rows = c.op('aten.floor.default', c.op('aten.rsub.Scalar', root, -b))
    const before = mul(c, mul(c, c.op('aten.rsub.Scalar', rows, BigInt(2 * first - 1)), rows), 0.5)
    const columns = c.op('aten.floor.default', c.op('aten.sub.Tensor', index, before))
    let [lowRows, lowColumns] = [cast(c, rows, dtype), cast(c, columns, dtype)]
    if (col > 0) lowRows = add(c, lowRows, BigInt(Math.floor(rectangle / col)))
    lowColumns = add(c, lowColumns, BigInt(Math.max(0, offset)))
    return stacked(c, [aboveRows, lowRows], [aboveColumns, lowColumns])
  },
}

export const rules = (): Rules => ({ 'aten.tril_indices': lower, 'aten.triu_indices': upper })
