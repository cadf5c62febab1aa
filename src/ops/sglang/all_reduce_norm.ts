/** The fused all-reduce and norm of the SGLang examples; their Python holds the definition. */
import { requireOneScale } from '../_C/static_quant'
import { type Kernel, type Param, tensorArg } from '../kernel'
import { rowKernel } from '../kernels/row_kernel'
import { inNamespace, type Kernels } from '../operator'
import { type RankNormNames, type RankNormResults, rankNormRows } from '../vllm/rank_norm'
import { PEERS, requireRanks } from '../vllm/rank_sum'

const NAMES: RankNormNames = { input: 'input', residual: 'residual', weight: 'weight', epsilon: 'eps', scale: 'scale' }

/**
 * residual = T(T(sum of input over ranks) + residual); input = T(T(rms(residual)) * weight); with `codes`,
 * codes = f8(clamp(input * (1 / scale))). Shapes: input, residual, codes [tokens, d], weight [d], peers as in rank_sum.ts.
 */
function allReduceNorm(name: string, quantized: boolean): Kernel {
  const results: RankNormResults = { sum: 'residual_out', norm: 'input_out', quant: quantized ? 'codes' : null }
  const codes: Param[] = quantized ? [{ name: 'codes', kind: 'out', dtype: 'float8_e4m3fn' }] : []
  return rowKernel({
    name,
    params: [
      { name: 'input', kind: 'inout', rows: true },
      { name: 'residual', kind: 'inout', rows: true },
      ...codes,
      { name: 'weight', kind: 'in', sample: 'weight' },
      ...(quantized ? [{ name: 'scale', kind: 'in', sample: 'scale' } as const] : []),
      { name: 'eps', kind: 'attr', default: 1e-6 },
      { name: 'world_size', kind: 'attr', default: null },
      PEERS,
    ],
    outputs(call) {
      requireRanks(call, 'input')
      if (quantized) requireOneScale(call)
      const { shape } = tensorArg(call, 'input')
      return Object.fromEntries(codes.map((p) => [p.name, { shape, dtype: null }]))
    },
    rows: (call) => rankNormRows(call, NAMES, results),
  })
}

export const allReduceRmsNorm = allReduceNorm('all_reduce_rms_norm', false)
export const allReduceRmsNormQuant = allReduceNorm('all_reduce_rms_norm_quant', true)

export const KERNELS: Kernels = inNamespace('sglang', [allReduceRmsNorm, allReduceRmsNormQuant])
