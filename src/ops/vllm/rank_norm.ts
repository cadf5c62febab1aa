/** In one dispatch: the sum over the ranks, plus the residual, its RMSNorm, and static FP8 codes of that. */
import { fp8Sink } from '../_C/static_quant'
import { type KernelCall, numberAttr } from '../kernel'
import { weightRows } from '../kernels/norm_values'
import type { RowSpec } from '../kernels/row_spec'
import { rankSumSource } from './rank_sum'

/** The names an operator gives its arguments. */
export interface RankNormNames {
  readonly input: string
  readonly residual: string
  readonly weight: string
  readonly epsilon: string
  readonly scale: string
}

/**
 * The tensors that receive z = T(T(sum over ranks) + residual), its norm, and the codes of that; at least one of the
 * last two.
 */
export interface RankNormResults {
  readonly sum: string
  readonly norm: string | null
  readonly quant: string | null
}

export function rankNormRows(call: KernelCall, names: RankNormNames, { sum, norm, quant }: RankNormResults): RowSpec {
  const source = rankSumSource(call, names.input, names.residual)
  const rows = weightRows(call, names.weight, source)
  return {
    source,
    norm: { weight: names.weight, rows, epsilon: numberAttr(call, names.epsilon) },
    keep: sum,
    keepsValues: true,
    out: (quant ?? norm)!,
    ...(quant && { sink: fp8Sink(call, names.scale, quant) }),
    ...(quant && norm && { normed: norm }),
  }
}
