/**
 * The operators that SGLang's GroupCoordinator.all_reduce leaves in a graph (sglang/srt/distributed/parallel_state.py), and
 * the fused all-reduce and norm of the SGLang examples, whose Python holds the definition.
 */
import { type Kernel, type Param, tensorArg } from '../kernel'
import { rowKernel } from '../kernels/row_kernel'
import { inNamespace, type Kernels } from '../operator'
import { allReduce } from '../vllm/collectives'
import {
  PEERS,
  rankSumSource,
  requireRanks,
  type RankNormNames,
  type RankNormResults,
  rankNormRows,
} from '../vllm/rank_sum'
import { requireOneScale } from '../_C/static_quant'

/** The sum over the ranks as a new tensor; the result does not depend on the communicator that is used. */
export const outplaceAllReduce = allReduce('outplace_all_reduce', [
  { name: 'outplace_all_reduce_method', kind: 'attr', default: null },
])

/** tensor = its sum over the ranks. Shapes: see rank_sum.ts. */
export const inplaceAllReduce: Kernel = rowKernel({
  name: 'inplace_all_reduce',
  params: [
    { name: 'tensor', kind: 'inout', rows: true },
    { name: 'group_name', kind: 'attr', default: null },
    { name: 'world_size', kind: 'attr', default: null },
    PEERS,
  ],
  outputs(call) {
    requireRanks(call, 'tensor')
    return {}
  },
  rows: (call) => ({ source: rankSumSource(call, 'tensor', null), out: 'tensor_out' }),
})

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

/** The fused all-reduce and norm of the SGLang examples; their Python holds the definition. */
const allReduceRmsNorm = allReduceNorm('all_reduce_rms_norm', false)
const allReduceRmsNormQuant = allReduceNorm('all_reduce_rms_norm_quant', true)

export const KERNELS: Kernels = inNamespace('sglang', [
  outplaceAllReduce,
  inplaceAllReduce,
  allReduceRmsNorm,
  allReduceRmsNormQuant,
])

export const SCHEMAS = `# SGLang python/sglang/srt/distributed/parallel_state.py
2025-05..2025-12 sglang::inplace_all_reduce(Tensor! tensor, str group_name) -> ()
2025-07..2026-06 sglang::outplace_all_reduce(Tensor tensor, str group_name, str outplace_all_reduce_method) -> Tensor
2025-05..2025-07 sglang::outplace_all_reduce(Tensor tensor, str group_name) -> Tensor`
