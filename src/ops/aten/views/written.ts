/** Writes a view's new value into its base (FunctionalInverses.cpp). */
import type { Bound } from '../../bind'
import { dimArgs, itemsOf, rankOf, type DispatchArg, type FakeTensor } from '../../fake'
import { wrapDim } from '../../op_call'

/** Calls an operator with one tensor result. */
export type Call = (
  name: string,
  args: readonly DispatchArg[],
  kwargs?: Readonly<Record<string, DispatchArg>>,
) => FakeTensor

/** Views, with the operators that write into them. */
const SCATTERS: Readonly<Record<string, readonly [op: string, ...names: string[]]>> = {
  'aten.slice.Tensor': ['aten.slice_scatter.default', 'dim', 'start', 'end', 'step'],
  'aten.select.int': ['aten.select_scatter.default', 'dim', 'index'],
  'aten.diagonal.default': ['aten.diagonal_scatter.default', 'offset', 'dim1', 'dim2'],
}

/** Views of all elements, with the computation of the base from the view's new value. */
const WHOLE: Readonly<Record<string, (call: Call, bound: Bound, base: FakeTensor, value: FakeTensor) => FakeTensor>> = {
  'aten.view.default': (call, _, base, value) => call('aten.view.default', [value, dimArgs(base.meta.shape)]),
  'aten.unsqueeze.default': (call, { values }, _, value) => call('aten.squeeze.dim', [value, values.get('dim')!]),
  'aten.t.default': (call, _, __, value) => call('aten.t.default', [value]),
  'aten.transpose.int': (call, { values }, _, value) =>
    call('aten.transpose.int', [value, values.get('dim0')!, values.get('dim1')!]),
  'aten.permute.default': (call, { values }, base, value) => {
    const dims = itemsOf(values.get('dims'))!.map((d) => wrapDim(Number(d as bigint), rankOf(base)))
    return call('aten.permute.default', [value, dims.map((_, i) => BigInt(dims.indexOf(i)))])
  },
}

/** The base's new value when the view that `bound` creates from it gets a new value. */
export function writtenBack(call: Call, bound: Bound, base: FakeTensor, value: FakeTensor): FakeTensor {
  const { name } = bound.schema
  const whole = WHOLE[name]
  if (whole) return whole(call, bound, base, value)
  const [op, ...names] = SCATTERS[name]!
  return call(op, [base, value, ...names.map((n) => bound.values.get(n)!)])
}

/** True for a view that can be written back. */
export const isWritten = (view: string): boolean => view in SCATTERS || view in WHOLE
