/** Views queries, keys and values as batches of heads, for any layout. */
import type { DTypeName } from '../dtype'
import { KernelRefusal, tensorArg, type KernelCall, type TensorView } from '../kernel'

/** Element (b, h, row, d) is at offset + b * stride[0] + h * stride[1] + row * stride[2] + d * stride[3]. */
export interface Heads {
  readonly dtype: DTypeName
  readonly batch: number
  readonly heads: number
  readonly rows: number
  readonly dim: number
  readonly stride: readonly [number, number, number, number]
  readonly offset: number
}

/**
 * `heads first`: [batch, heads, rows, dim], where leading dimensions are optional; `tokens first`: vLLM's [rows, heads,
 * dim].
 */
export type Layout = 'heads first' | 'tokens first'

export function headsOf(name: string, t: TensorView, layout: Layout): Heads {
  const rank = t.shape.length
  if (layout === 'tokens first') {
    if (rank !== 3)
      throw new KernelRefusal(`\`${name}\` must be [tokens, heads, head size], found [${t.shape.join(', ')}]`)
    return {
      dtype: t.dtype,
      batch: 1,
      heads: t.shape[1]!,
      rows: t.shape[0]!,
      dim: t.shape[2]!,
      stride: [0, t.stride[1]!, t.stride[0]!, t.stride[2]!],
      offset: t.offset,
    }
  }
  if (rank < 2 || rank > 4)
    throw new KernelRefusal(`\`${name}\` must have two to four dimensions, found [${t.shape.join(', ')}]`)
  const size = [1, 1, ...t.shape].slice(-4) as [number, number, number, number]
  const stride = [0, 0, ...t.stride].slice(-4) as [number, number, number, number]
  return { dtype: t.dtype, batch: size[0], heads: size[1], rows: size[2], dim: size[3], stride, offset: t.offset }
}

export interface Attention {
  readonly layout: Layout
  readonly q: Heads
  readonly k: Heads
  readonly v: Heads
  /** Number of query heads that share a head of keys and values. */
  readonly sharing: number
  readonly scale: number
  /** True if row i attends to keys 0 to i. */
  readonly causal: boolean
  /** Boolean (true: attended) or added to the scores; broadcasts to [batch, heads, rows, keys]. */
  readonly mask: string | null
}

/** The sizes of a call with `query`, `key` and `value`. `scale` defaults to 1 / sqrt(head size). */
export function attentionOf(call: KernelCall, layout: Layout, causal: boolean): Attention {
  const [q, k, v] = ['query', 'key', 'value'].map((n) => headsOf(n, tensorArg(call, n), layout)) as [
    Heads,
    Heads,
    Heads,
  ]
  const shown = (): string =>
    ['query', 'key', 'value'].map((n) => `${n} [${tensorArg(call, n).shape.join(', ')}]`).join(', ')
  if (q.dim !== k.dim || k.rows !== v.rows || k.heads !== v.heads || q.batch !== k.batch || k.batch !== v.batch)
    throw new KernelRefusal(`the sizes of its arguments do not fit: ${shown()}`)
  if (q.heads % k.heads !== 0)
    throw new KernelRefusal(`the ${q.heads} query heads do not share ${k.heads} heads of keys evenly`)
  const scale = call.attrs['scale']
  return {
    layout,
    q,
    k,
    v,
    sharing: q.heads / k.heads,
    scale: typeof scale === 'number' ? scale : 1 / Math.sqrt(q.dim),
    causal,
    mask: call.tensors['attn_mask'] ? 'attn_mask' : null,
  }
}
