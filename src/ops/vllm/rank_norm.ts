/** In one dispatch: the sum over the ranks, plus the residual, its RMSNorm, and static FP8 codes of that. */
import { fp8ByInverse, fp8Sink } from '../_C/static_quant'
import { type DeviceTraits, type Dispatch, type KernelCall, numberAttr, type ReferenceMemory } from '../kernel'
import { type Normed, normRows, weightRows } from '../kernels/norm_values'
import { storeAsIs } from '../kernels/pointwise'
import { rowKernel } from '../kernels/row_kernel'
import { sourceValues } from '../kernels/source'
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

function normOf(call: KernelCall, names: RankNormNames): Normed {
  const source = rankSumSource(call, names.input, names.residual)
  const rows = weightRows(call, names.weight, source)
  return { source, norm: { weight: names.weight, rows, epsilon: numberAttr(call, names.epsilon) } }
}

export function rankNormValues(
  call: KernelCall,
  memory: ReferenceMemory,
  names: RankNormNames,
  results: RankNormResults,
): void {
  const spec = normOf(call, names)
  const sums = sourceValues(memory, spec.source)
  const { values } = normRows(memory, spec, sums)
  memory.write(results.sum, sums)
  if (results.norm) memory.write(results.norm, values)
  if (results.quant) memory.write(results.quant, fp8ByInverse(values, Math.fround(1 / memory.read(names.scale)[0]!)))
}

export function rankNormPlan(
  label: string,
  call: KernelCall,
  names: RankNormNames,
  { sum, norm, quant }: RankNormResults,
  device: DeviceTraits,
): Dispatch[] {
  return rowKernel(
    label,
    call,
    {
      ...normOf(call, names),
      keep: sum,
      keepsValues: true,
      out: (quant ?? norm)!,
      sink: quant ? fp8Sink(call, names.scale) : storeAsIs,
      ...(quant && norm && { normed: norm }),
    },
    device,
  )
}
