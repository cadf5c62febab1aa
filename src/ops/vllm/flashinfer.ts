/** FlashInfer's fused all-reduce and norm, and its matrix products, as vLLM calls them. */
import { requireOneScale } from '../_C/static_quant'
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg } from '../kernel'
import { rowKernel } from '../kernels/row_kernel'
import { inNamespace, type Kernels, type Rules } from '../operator'
import { type RankNormNames, type RankNormResults, rankNormRows, PEERS, requireRanks } from './rank_sum'
import type { OpCall } from '../op_call'

const NAME = 'flashinfer_trtllm_fused_allreduce_norm'
const NAMES: RankNormNames = {
  input: 'allreduce_in',
  residual: 'residual',
  weight: 'rms_gamma',
  epsilon: 'rms_eps',
  scale: 'scale_factor',
}
/** Launch options that do not affect the result. */
const LAUNCH = ['launch_with_pdl', 'trigger_completion_at_end', 'fp32_acc', 'max_token_num', 'use_oneshot', 'max_sizes']

/** AllReduceFusionPattern: 1 is all-reduce, residual and RMSNorm; 2 static FP8 of that; 4 both. */
const PATTERNS: Readonly<Record<number, { norm: boolean; quant: boolean }>> = {
  1: { norm: true, quant: false },
  2: { norm: false, quant: true },
  4: { norm: true, quant: true },
}

/** Without `norm_out`, the norm overwrites the input and the sum the residual; with it, the sum overwrites the input. */
function resultsOf(call: KernelCall): RankNormResults {
  const pattern = PATTERNS[Number(call.attrs['pattern_code'])]
  if (!pattern)
    throw new KernelRefusal(
      `its pattern_code must be 1 (all-reduce, residual, RMSNorm), 2 (static FP8 of that) or 4 (both), found ${String(call.attrs['pattern_code'])}`,
    )
  if (pattern.quant && call.attrs['quant_out'] !== true)
    throw new KernelRefusal('its tensor argument `quant_out` is missing')
  const apart = call.attrs['norm_out'] === true
  return {
    sum: apart ? 'allreduce_in_out' : 'residual_out',
    norm: pattern.norm ? (apart ? 'norm_out' : 'allreduce_in_out') : null,
    quant: pattern.quant ? 'quant_out' : null,
  }
}

const attr = (name: string, value: Param['default'] = null): Param => ({ name, kind: 'attr', default: value })

/**
 * z = T(T(sum over ranks) + residual); norm = T(T(z * rsqrt(mean(z^2) + rms_eps)) * rms_gamma);
 * quant = f8(clamp(norm * (1 / scale_factor), -448, 448)). The operator of vLLM's
 * vllm/compilation/passes/fusion/allreduce_rms_fusion.py over flashinfer.comm.allreduce_fusion; the roundings are those
 * of the operators that it replaces (vllm.all_reduce, fused_add_rms_norm, static_scaled_fp8_quant).
 * Shapes: allreduce_in, residual, norm_out, quant_out [tokens, d], rms_gamma [d], peers as in rank_sum.ts.
 */
export const fusedAllReduceNorm: Kernel = rowKernel({
  name: NAME,
  params: [
    { name: 'allreduce_in', kind: 'inout', rows: true },
    { name: 'residual', kind: 'inout', rows: true },
    { name: 'rms_gamma', kind: 'in', sample: 'weight' },
    attr('rms_eps', 1e-6),
    attr('world_size'),
    ...LAUNCH.map((name) => attr(name)),
    attr('pattern_code', 1),
    { name: 'norm_out', kind: 'out', optional: true },
    { name: 'quant_out', kind: 'out', optional: true, dtype: 'float8_e4m3fn' },
    { name: 'scale_out', kind: 'kept', optional: true },
    { name: 'scale_factor', kind: 'in', optional: true, sample: 'scale' },
    attr('weight_bias', 0),
    PEERS,
  ],
  outputs(call) {
    requireRanks(call, 'allreduce_in')
    const { norm, quant } = resultsOf(call)
    if (quant) requireOneScale(call, 'scale_factor')
    if (Number(call.attrs['weight_bias']) !== 0) throw new KernelRefusal('a weight_bias is not handled')
    const { shape, dtype } = tensorArg(call, 'allreduce_in')
    return {
      ...(norm === 'norm_out' && { norm_out: { shape, dtype } }),
      ...(quant && { quant_out: { shape, dtype: null } }),
    }
  },
  keeps(call) {
    const { sum, norm } = resultsOf(call)
    return ['allreduce_in', 'residual'].filter((name) => ![sum, norm].includes(`${name}_out`))
  },
  rows: (call) => rankNormRows(call, NAMES, resultsOf(call)),
})

/** The result has the given dtype, the leading sizes of A and the columns of B. */
const product = (c: OpCall) => {
  const [a, b] = [c.tensor('A').meta, c.tensor('B').meta]
  return c.fresh(c.dtype() ?? a.dtype, [...a.shape.slice(0, -1), b.shape.at(-1)!], a.device)
}

/** FlashInfer's matrix products, as vLLM wraps them in custom operators. */
export const rules = (): Rules => ({
  'vllm.bmm_fp8 vllm.flashinfer_mm_fp4': { meta: product },
})

export const KERNELS: Kernels = inNamespace('vllm', [fusedAllReduceNorm])

export const SCHEMAS = `# vLLM vllm/compilation/passes/fusion/allreduce_rms_fusion.py
2026-06..2026-08 vllm::flashinfer_trtllm_fused_allreduce_norm(Tensor! allreduce_in, Tensor! residual, Tensor rms_gamma, float rms_eps, int world_size, bool launch_with_pdl, bool fp32_acc, int max_token_num, int pattern_code, Tensor!? norm_out=None, Tensor!? quant_out=None, Tensor!? scale_out=None, Tensor? scale_factor=None, float weight_bias=0.0) -> ()
2026-02..2026-05 vllm::flashinfer_trtllm_fused_allreduce_norm(Tensor! allreduce_in, Tensor! residual, Tensor rms_gamma, float rms_eps, int world_size, bool launch_with_pdl, bool fp32_acc, int max_token_num, int pattern_code, Tensor!? norm_out=None, Tensor!? quant_out=None, Tensor!? scale_out=None, Tensor? scale_factor=None) -> ()
# vLLM vllm/compilation/collective_fusion.py
2025-11..2026-01 vllm::flashinfer_trtllm_fused_allreduce_norm(Tensor! allreduce_in, Tensor! residual, Tensor rms_gamma, float rms_eps, int world_rank, int world_size, bool launch_with_pdl, bool trigger_completion_at_end, bool fp32_acc, int max_token_num, int pattern_code, Tensor!? norm_out=None, Tensor!? quant_out=None, Tensor!? scale_out=None, Tensor? scale_factor=None) -> ()
2025-07..2025-10 vllm::flashinfer_trtllm_fused_allreduce_norm(Tensor! allreduce_in, Tensor! residual, Tensor rms_gamma, float rms_eps, int world_rank, int world_size, bool launch_with_pdl, bool trigger_completion_at_end, bool fp32_acc, int max_token_num, int pattern_code, bool fuse_rms_quant, Tensor!? norm_out=None, Tensor!? quant_out=None, Tensor!? scale_out=None, Tensor? scale_factor=None) -> ()
2025-07..2025-07 vllm::flashinfer_trtllm_fused_allreduce_norm(Tensor! allreduce_in, Tensor! residual, Tensor rms_gamma, float rms_eps, int world_rank, int world_size, bool launch_with_pdl, bool trigger_completion_at_end, bool fp32_acc, int max_token_num, Tensor!? norm_out=None) -> ()
# vLLM vllm/utils/flashinfer.py
2026-04..2026-08 vllm::bmm_fp8(Tensor A, Tensor B, Tensor A_scale, Tensor B_scale, ScalarType dtype, str backend) -> Tensor
2026-05..2026-08 vllm::flashinfer_mm_fp4(Tensor A, Tensor B, Tensor A_scale, Tensor B_scale, Tensor g_scale, ScalarType dtype, bool use_8x4_sf_layout, str backend, SymInt block_size=16, bool use_nvfp4=True) -> Tensor
2026-01..2026-04 vllm::flashinfer_mm_fp4(Tensor A, Tensor B, Tensor A_scale, Tensor B_scale, Tensor g_scale, ScalarType dtype, bool use_8x4_sf_layout, str backend) -> Tensor
2025-09..2026-01 vllm::flashinfer_mm_fp4(Tensor A, Tensor B, Tensor A_scale, Tensor B_scale, Tensor g_scale, ScalarType dtype, str backend) -> Tensor`
