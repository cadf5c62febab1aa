/** Shape rules of AMD's aiter operators, as vLLM registers them. Scales are float32, one for each group or row. */
import type { Dim } from '../../fx'
import type { DispatchArg, FakeTensor } from '../fake'
import type { OpCall } from '../op_call'
import type { Rules } from '../operator'
import { addDims, floorDiv, mulDims } from '../sym'

const like = (
  c: OpCall,
  x: FakeTensor,
  dtype: string = x.meta.dtype,
  shape: readonly Dim[] = x.meta.shape,
): FakeTensor => c.fresh(dtype, shape, x.meta.device)

const tuple = (...items: DispatchArg[]): DispatchArg => ({ kind: 'tuple', items })
const rows = (x: FakeTensor): Dim[] => x.meta.shape.slice(0, -1)
const last = (x: FakeTensor): Dim => x.meta.shape.at(-1) ?? 1

/** FP8 codes. The dtype is the argument's, else OCP's e4m3; vllm._aiter_ops knows the platform's. */
const codes = (c: OpCall, x: FakeTensor, shape?: readonly Dim[]): FakeTensor =>
  like(c, x, c.dtype('quant_dtype') ?? 'float8_e4m3fn', shape)

const perRow = (c: OpCall, x: FakeTensor): FakeTensor => like(c, x, 'float32', [...rows(x), 1])

/** ceil(columns / group_size) scales for each row. */
function perGroup(c: OpCall, x: FakeTensor, columns: Dim = last(x)): FakeTensor {
  const group = c.int('group_size')
  return like(c, x, 'float32', [...rows(x), floorDiv(addDims(columns, group - 1), group)])
}

function padded(c: OpCall): FakeTensor {
  const x = c.tensor('x')
  const multiple = c.int('x_pad_to_multiple')
  if (multiple <= 0) return like(c, x)
  return like(c, x, x.meta.dtype, [...rows(x), mulDims(floorDiv(addDims(last(x), multiple - 1), multiple), multiple)])
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'vllm.rocm_aiter_rms_norm': { meta: (c) => like(c, c.tensor('x')) },
  'vllm.rocm_aiter_rmsnorm2d_fwd_with_add': {
    meta: (c) => tuple(like(c, c.tensor('x')), like(c, c.tensor('residual'))),
  },
  'vllm.rocm_aiter_rmsnorm_fused_dynamic_quant vllm.rocm_aiter_per_token_quant': {
    meta: (c) => tuple(codes(c, c.tensor('x')), perRow(c, c.tensor('x'))),
  },
  'vllm.rocm_aiter_rmsnorm_fused_add_dynamic_quant': {
    meta: (c) => tuple(codes(c, c.tensor('x')), like(c, c.tensor('residual')), perRow(c, c.tensor('x'))),
  },
  'vllm.rocm_aiter_rmsnorm_fp8_group_quant vllm.rocm_aiter_group_fp8_quant': {
    meta: (c) => tuple(codes(c, c.tensor('x')), perGroup(c, c.tensor('x'))),
  },
  'vllm.rocm_aiter_rmsnorm_with_add_fp8_group_quant': {
    meta: (c) => tuple(codes(c, c.tensor('x')), like(c, c.tensor('residual')), perGroup(c, c.tensor('x'))),
  },
  'vllm.rocm_aiter_per_tensor_quant': {
    // The version that writes to its argument returns nothing.
    meta: (c) =>
      c.schema.returns.length === 0 ? null : tuple(codes(c, c.tensor('x')), like(c, c.tensor('x'), 'float32', [1])),
  },
  'vllm.rocm_aiter_act_mul_and_fp8_group_quant': {
    meta: (c, x) => {
      const half = floorDiv(last(x), 2)
      return tuple(codes(c, x, [...rows(x), half]), perGroup(c, x, half))
    },
  },
  'vllm.rocm_aiter_triton_add_rmsnorm_pad': { meta: (c) => tuple(padded(c), like(c, c.tensor('residual'))) },
  'vllm.rocm_aiter_fused_allreduce_rmsnorm': {
    meta: (c) => tuple(like(c, c.tensor('input_')), like(c, c.tensor('residual'))),
  },
  'vllm.rocm_aiter_fused_allreduce_rmsnorm_quant_per_group': {
    meta: (c) => tuple(codes(c, c.tensor('input_')), like(c, c.tensor('residual')), perGroup(c, c.tensor('input_'))),
  },
  'vllm.rocm_aiter_fused_allreduce_rmsnorm_quant_per_group_with_bf16_norm': {
    meta: (c, x) => tuple(codes(c, x), like(c, c.tensor('residual')), perGroup(c, x), like(c, x)),
  },
})

export const SCHEMAS = `# vLLM vllm/_aiter_ops.py
2025-09..2026-04 vllm::rocm_aiter_rms_norm(Tensor x, Tensor weight, float variance_epsilon) -> Tensor
2025-09..2026-04 vllm::rocm_aiter_rmsnorm2d_fwd_with_add(Tensor x, Tensor residual, Tensor weight, float variance_epsilon) -> (Tensor, Tensor)
2025-12..2026-08 vllm::rocm_aiter_rmsnorm_fused_dynamic_quant(Tensor x, Tensor weight, float epsilon, ScalarType quant_dtype) -> (Tensor, Tensor)
2025-12..2026-08 vllm::rocm_aiter_rmsnorm_fused_add_dynamic_quant(Tensor x, Tensor residual, Tensor weight, float epsilon, ScalarType quant_dtype) -> (Tensor, Tensor, Tensor)
2025-12..2026-08 vllm::rocm_aiter_rmsnorm_fp8_group_quant(Tensor x, Tensor weight, float variance_epsilon, int group_size) -> (Tensor, Tensor)
2025-12..2026-08 vllm::rocm_aiter_rmsnorm_with_add_fp8_group_quant(Tensor x, Tensor residual, Tensor weight, float variance_epsilon, int group_size) -> (Tensor, Tensor, Tensor)
2026-06..2026-08 vllm::rocm_aiter_per_tensor_quant(Tensor! out, Tensor x, Tensor! scale, bool is_dynamic) -> ()
2025-12..2026-06 vllm::rocm_aiter_per_tensor_quant(Tensor x, ScalarType quant_dtype, Tensor? scale=None) -> (Tensor, Tensor)
2025-12..2026-08 vllm::rocm_aiter_per_token_quant(Tensor x, ScalarType quant_dtype, Tensor? scale=None) -> (Tensor, Tensor)
2025-12..2025-12 vllm::rocm_aiter_per_token_quant(Tensor x, ScalarType quant_dtype, Tensor!? scale=None) -> (Tensor, Tensor)
2026-07..2026-08 vllm::rocm_aiter_group_fp8_quant(Tensor x, int group_size, bool transpose_scale=False) -> (Tensor, Tensor)
2025-11..2026-07 vllm::rocm_aiter_group_fp8_quant(Tensor x, int group_size) -> (Tensor, Tensor)
2025-12..2026-08 vllm::rocm_aiter_act_mul_and_fp8_group_quant(Tensor x, int group_size) -> (Tensor, Tensor)
2026-01..2026-08 vllm::rocm_aiter_triton_add_rmsnorm_pad(Tensor x, Tensor weight, float variance_epsilon, Tensor residual, int x_pad_to_multiple) -> (Tensor, Tensor)
2026-05..2026-08 vllm::rocm_aiter_fused_allreduce_rmsnorm(Tensor input_, Tensor residual, Tensor weight, float epsilon) -> (Tensor, Tensor)
2026-06..2026-08 vllm::rocm_aiter_fused_allreduce_rmsnorm_quant_per_group(Tensor input_, Tensor residual, Tensor weight, float epsilon, int group_size) -> (Tensor, Tensor, Tensor)
2026-06..2026-08 vllm::rocm_aiter_fused_allreduce_rmsnorm_quant_per_group_with_bf16_norm(Tensor input_, Tensor residual, Tensor weight, float epsilon, int group_size) -> (Tensor, Tensor, Tensor, Tensor)`
