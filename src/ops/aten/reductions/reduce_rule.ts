/** Shape rules shared by sums, extrema and moments. */
import type { Dim } from '../../../fx'
import { type FakeTensor, itemsOf, toDim } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import { isComplexDtype, isFloatDtype } from '../../promote'
import { runtimeError } from '../../torch_error'

/** The dimensions of a `dim` argument; all if it is empty. */
export function dimsOf(c: OpCall, x: FakeTensor, name = 'dim'): number[] {
  const v = c.get(name)
  const rank = x.meta.shape.length
  const list = v === null ? [] : (itemsOf(v) ?? [v]).map((d) => Number(toDim(d)))
  if (list.length === 0) return x.meta.shape.map((_, i) => i)
  const dims = list.map((d) => wrapDim(d, rank))
  if (new Set(dims).size !== dims.length) throw runtimeError('duplicate value in the list of dims')
  return dims
}

function reducedShape(x: FakeTensor, dims: readonly number[], keepdim: boolean): Dim[] {
  if (keepdim) return x.meta.shape.map((d, i) => (dims.includes(i) ? 1 : d))
  return x.meta.shape.filter((_, i) => !dims.includes(i))
}

export const reduce = (c: OpCall, dtype: string, x = c.tensor('self'), dims = dimsOf(c, x)): FakeTensor =>
  c.fresh(dtype, reducedShape(x, dims, c.bool('keepdim')), x.meta.device)

export const widened = (d: string): string => (isFloatDtype(d) || isComplexDtype(d) ? d : 'int64')

export const allDims = (c: OpCall): boolean => itemsOf(c.get('dim'))?.length === 0 && !c.bool('keepdim')

export const floating = (c: OpCall, what: string): string => {
  const { dtype } = c.tensor('self').meta
  if (!isFloatDtype(dtype)) throw runtimeError(what)
  return dtype
}
