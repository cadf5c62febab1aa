/** FlashInfer's matrix products, as vLLM wraps them in custom operators. */
import type { OpCall } from '../op_call'
import type { Rules } from '../operator'

/** The result has the given dtype, the leading sizes of A and the columns of B. */
const product = (c: OpCall) => {
  const [a, b] = [c.tensor('A').meta, c.tensor('B').meta]
  return c.fresh(c.dtype() ?? a.dtype, [...a.shape.slice(0, -1), b.shape.at(-1)!], a.device)
}

export const rules = (): Rules => ({
  'vllm.bmm_fp8 vllm.flashinfer_mm_fp4': { meta: product },
})

/** The forms in checkouts of vLLM of 2026-04-21, 2026-05-24, 2026-06-22 and 2026-08-07; the two older ones are undated copies. */
export const SCHEMAS = `# vLLM vllm/utils/flashinfer.py
2026-04..2026-08 vllm::bmm_fp8(Tensor A, Tensor B, Tensor A_scale, Tensor B_scale, ScalarType dtype, str backend) -> Tensor
2026-05..2026-08 vllm::flashinfer_mm_fp4(Tensor A, Tensor B, Tensor A_scale, Tensor B_scale, Tensor g_scale, ScalarType dtype, bool use_8x4_sf_layout, str backend, SymInt block_size=16, bool use_nvfp4=True) -> Tensor
2026-01..2026-04 vllm::flashinfer_mm_fp4(Tensor A, Tensor B, Tensor A_scale, Tensor B_scale, Tensor g_scale, ScalarType dtype, bool use_8x4_sf_layout, str backend) -> Tensor
2025-09..2026-01 vllm::flashinfer_mm_fp4(Tensor A, Tensor B, Tensor A_scale, Tensor B_scale, Tensor g_scale, ScalarType dtype, str backend) -> Tensor`
