/** Sliding windows over the last dimensions, for convolutions and pooling. */
import type { Dim } from '../../../fx'
import type { Expr } from '../../expr/expr'
import type { AttrValue, Param } from '../../kernel'
import { type OpCall, wrapDim } from '../../op_call'
import { addDims, floorDiv, mulDims, subDims } from '../../sym'
import { runtimeError } from '../../torch_error'

export const attr = (name: string, value: AttrValue = null): Param => ({ name, kind: 'attr', default: value })

/** One size per dimension; a single number applies to all, and an empty list means `otherwise`. */
export function sizes(v: AttrValue | undefined, rank: number, otherwise: readonly number[]): number[] {
  const list = Array.isArray(v) ? v.map(Number) : v === null || v === undefined ? [] : [Number(v)]
  if (list.length === 0) return [...otherwise]
  return list.length === 1 ? new Array<number>(rank).fill(list[0]!) : list
}

export interface Windows {
  readonly kernel: readonly number[]
  readonly stride: readonly number[]
  readonly padding: readonly number[]
  readonly dilation: readonly number[]
}

/** Output sizes of a window sliding over `shape`. With ceil_mode a last window may start within the padded input. */
export function reached(shape: readonly number[], w: Windows, ceil: boolean): number[] {
  return shape.map((n, d) => {
    const span = w.dilation[d]! * (w.kernel[d]! - 1) + 1
    const steps = (n + 2 * w.padding[d]! - span) / w.stride[d]!
    const out = (ceil ? Math.ceil(steps) : Math.floor(steps)) + 1
    return ceil && (out - 1) * w.stride[d]! >= n + w.padding[d]! ? out - 1 : out
  })
}

/** The position of tap `k` of window `i` in dimension d; negative or too large in the padding. */
export const tap = (w: Windows, d: number, i: Expr, k: Expr): Expr =>
  i.times(w.stride[d]!).plus(k.times(w.dilation[d]!)).minus(w.padding[d]!)

export const SELF: Param = { name: 'self', kind: 'in', aliases: ['input'] }

export const list = (c: OpCall, name: string, rank: number, otherwise?: Dim[]): Dim[] => {
  const dims = c.dims(name) ?? []
  if (dims.length === 0 && otherwise) return otherwise
  return dims.length === 1 ? new Array<Dim>(rank).fill(dims[0]!) : dims
}

/** pooling_output_shape for each of the last `rank` dimensions. */
export function pooled(c: OpCall, rank: number): Dim[] {
  const x = c.tensor(c.schema.args[0]!.name)
  const kernel = list(c, 'kernel_size', rank)
  const stride = list(c, 'stride', rank, kernel)
  const padding = list(c, 'padding', rank, new Array<Dim>(rank).fill(0))
  const dilation = list(c, 'dilation', rank, new Array<Dim>(rank).fill(1))
  const lead = x.meta.shape.length - rank
  if (lead < 1) wrapDim(-rank - 1, x.meta.shape.length)
  for (const [k, pad] of padding.entries()) {
    const reach = (Number(dilation[k]) * (Number(kernel[k]) - 1) + 1) / 2
    if (Number(pad) > Math.floor(reach))
      throw runtimeError(
        `pad should be at most half of effective kernel size, but got pad=${pad}, kernel_size=${kernel[k]} and dilation=${dilation[k]}`,
      )
  }
  const out = x.meta.shape.map((d, i) => {
    if (i < lead) return d
    const k = i - lead
    const reach = addDims(mulDims(dilation[k]!, subDims(kernel[k]!, 1)), 1)
    const room = subDims(addDims(d, mulDims(2, padding[k]!)), reach)
    if (!c.bool('ceil_mode')) return addDims(floorDiv(room, stride[k]!), 1)
    const up = addDims(floorDiv(addDims(room, subDims(stride[k]!, 1)), stride[k]!), 1)
    // The last window must start inside the input or its left padding.
    return Number(up) * Number(stride[k]) - Number(stride[k]) >= Number(d) + Number(padding[k]) ? Number(up) - 1 : up
  })
  if (out.slice(lead).some((d) => typeof d === 'number' && d < 1))
    throw runtimeError(
      `Given input size: (${x.meta.shape.slice(lead - 1).join('x')}). Calculated output size: (${out.slice(lead - 1).join('x')}). Output size is too small`,
    )
  return out
}
