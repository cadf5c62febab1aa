/** Shape and dtype rules of torch_npu's and vLLM-Ascend's operators that have no fake implementation in Python. */
import type { Dim } from '../../fx'
import type { DispatchArg, FakeTensor } from '../fake'
import type { OpCall } from '../op_call'
import type { Rules } from '../operator'
import { addDims, floorDiv } from '../sym'

/** A new contiguous tensor on another tensor's device. */
const made = (c: OpCall, like: FakeTensor, shape: readonly Dim[], dtype: string = like.meta.dtype): FakeTensor =>
  c.fresh(dtype, shape, like.meta.device)

const several = (...items: DispatchArg[]): DispatchArg => ({ kind: 'tuple', items })
const rows = (x: FakeTensor): Dim[] => x.meta.shape.slice(0, -1)
const last = (x: FakeTensor): Dim => x.meta.shape.at(-1) ?? 1
const halved = (x: FakeTensor): Dim[] => [...rows(x), floorDiv(last(x), 2)]
const blocks = (size: Dim, block: Dim): Dim =>
  floorDiv(addDims(size, typeof block === 'number' ? block - 1 : 31), block)
const same = (c: OpCall, x: FakeTensor, dtype?: string): FakeTensor => made(c, x, x.meta.shape, dtype)
/** One float32 per row. */
const perRow = (c: OpCall, x: FakeTensor, keepdim: boolean): FakeTensor =>
  made(c, x, keepdim ? [...rows(x), 1] : rows(x), 'float32')
const codesOf = (c: OpCall, fallback: string): string => c.dtype('dst_type') ?? fallback

const norm = (c: OpCall): DispatchArg => {
  const x = c.tensor('x1')
  return several(same(c, x), perRow(c, x, true), same(c, x))
}

/** Codes, and one shared exponent per block of the last dimension. */
const mx = (c: OpCall, x: FakeTensor, shape: readonly Dim[], block: Dim): [FakeTensor, FakeTensor] => [
  made(c, x, shape, codesOf(c, 'float8_e4m3fn')),
  made(c, x, [...shape.slice(0, -1), blocks(shape.at(-1) ?? 1, block)], 'uint8'),
]

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'npu.npu_add_rms_norm _C_ascend.npu_add_rms_norm_bias': { meta: norm },
  'npu.npu_rms_norm': {
    meta: (c) => several(same(c, c.tensor('self')), perRow(c, c.tensor('self'), true)),
  },
  'npu.npu_add_rms_norm_quant': {
    meta: (c) => several(same(c, c.tensor('x1'), 'int8'), same(c, c.tensor('x1'), 'int8'), same(c, c.tensor('x1'))),
  },
  'npu.npu_add_rms_norm_dynamic_quant': {
    meta: (c, x) => {
      const codes = (): FakeTensor => same(c, x, 'int8')
      return several(codes(), codes(), same(c, x), perRow(c, x, false), perRow(c, x, false))
    },
  },
  'npu.npu_dynamic_quant': {
    meta: (c) => several(same(c, c.tensor('input'), codesOf(c, 'int8')), perRow(c, c.tensor('input'), false)),
  },
  'npu.npu_dynamic_mx_quant': {
    meta: (c) => several(...mx(c, c.tensor('input'), c.tensor('input').meta.shape, c.dim('block_size'))),
  },
  'npu.npu_swiglu_mx_quant': {
    meta: (c) => several(...mx(c, c.tensor('x'), halved(c.tensor('x')), 32)),
  },
  'npu.npu_add_rms_norm_dynamic_mx_quant': {
    meta: (c, x) => {
      const [codes, scales] = mx(c, x, x.meta.shape, 32)
      return several(codes, same(c, x), scales, perRow(c, x, true))
    },
  },
  'npu.npu_swiglu': { meta: (c) => made(c, c.tensor('self'), halved(c.tensor('self'))) },
  'npu.npu_swiglu_quant': {
    meta: (c, x) => several(made(c, x, halved(x), codesOf(c, 'int8')), perRow(c, x, false)),
  },
  'npu.npu_gelu npu.npu_rotary_mul': { meta: (c) => same(c, c.tensor('self')) },
  'npu.npu_quantize': { meta: (c) => same(c, c.tensor('self'), c.dtype('dtype') ?? 'int8') },
  'npu.npu_apply_rotary_pos_emb': {
    meta: (c) => several(same(c, c.tensor('query')), same(c, c.tensor('key'))),
  },
  'vllm.npu_rotary_embedding': { meta: (c) => several(same(c, c.tensor('query')), same(c, c.tensor('key'))) },
  'vllm.rope_forward_triton': { meta: (c) => several(same(c, c.tensor('q')), same(c, c.tensor('k'))) },
  'vllm.quantize': { meta: (c) => same(c, c.tensor('in_tensor'), 'int8') },
  'vllm.unquantized_gemm': {
    meta: (c) => made(c, c.tensor('x'), [...rows(c.tensor('x')), c.tensor('weight').meta.shape[0]!]),
  },
  '_C_ascend.matmul_allreduce_add_rmsnorm': {
    meta: (c) => several(same(c, c.tensor('residual')), same(c, c.tensor('residual'))),
  },
  'vllm.maybe_all_gather_and_maybe_unpad vllm.maybe_pad_and_reduce vllm.sequence_parallel_chunk_impl': {
    meta: (c) => same(c, c.tensor('x')),
  },
  // Its part of the residual has as many rows as the tensor it is added to.
  'vllm.maybe_chunk_residual': { meta: (c) => same(c, c.tensor('x')) },
  'vllm.qkv_rmsnorm_rope vllm.qkv_rmsnorm_rope_simt': {
    meta: (c, x) => {
      const [q, kv] = [c.dim('q_hidden_size'), c.dim('kv_hidden_size')]
      return several(made(c, x, [...rows(x), q]), made(c, x, [...rows(x), kv]), made(c, x, [...rows(x), kv]))
    },
  },
})

export const SCHEMAS = `# torch_npu op_plugin/config/op_plugin_functions.yaml
2025-05..2026-08 npu::npu_rms_norm(Tensor self, Tensor gamma, float epsilon=1e-06) -> (Tensor, Tensor)
2025-11..2026-08 npu::npu_add_rms_norm_quant(Tensor x1, Tensor x2, Tensor gamma, Tensor scales1, Tensor? zero_points1, Tensor? beta=None, Tensor? scales2=None, Tensor? zero_points2=None, *, int axis=-1, float epsilon=1e-06, bool div_mode=True, int? dst_type=None) -> (Tensor, Tensor, Tensor)
2025-09..2025-10 npu::npu_add_rms_norm_quant(Tensor x1, Tensor x2, Tensor gamma, Tensor scales1, Tensor? zero_points1, Tensor? beta=None, Tensor? scales2=None, Tensor? zero_points2=None, *, int axis=-1, float epsilon=1e-06, bool div_mode=True) -> (Tensor, Tensor, Tensor)
2025-06..2025-08 npu::npu_add_rms_norm_quant(Tensor x1, Tensor x2, Tensor gamma, Tensor scales1, Tensor? zero_points1, Tensor? scales2=None, Tensor? zero_points2=None, *, int axis=-1, float epsilon=1e-06, bool div_mode=True) -> (Tensor, Tensor, Tensor)
2026-08..2026-08 npu::npu_add_rms_norm_dynamic_quant(Tensor x1, Tensor x2, Tensor gamma, *, Tensor? smooth_scale1=None, Tensor? smooth_scale2=None, Tensor? beta=None, float epsilon=1e-6, bool[2]? output_mask=None, int? y_dtype=None) -> (Tensor, Tensor, Tensor, Tensor, Tensor)
2026-02..2026-07 npu::npu_add_rms_norm_dynamic_quant(Tensor x1, Tensor x2, Tensor gamma, *, Tensor? smooth_scale1=None, Tensor? smooth_scale2=None, Tensor? beta=None, float epsilon=1e-6, bool[2] output_mask=[], ScalarType? y_dtype=None) -> (Tensor, Tensor, Tensor, Tensor, Tensor)
2025-09..2026-01 npu::npu_add_rms_norm_dynamic_quant(Tensor x1, Tensor x2, Tensor gamma, *, Tensor? smooth_scale1=None, Tensor? smooth_scale2=None, Tensor? beta=None, float epsilon=1e-6, bool[2] output_mask=[]) -> (Tensor, Tensor, Tensor, Tensor, Tensor)
2026-03..2026-08 npu::npu_dynamic_quant(Tensor input, *, Tensor? smooth_scales=None, Tensor? group_index=None, int? dst_type=None, str quant_mode="pertoken", float dst_type_max=0.0) -> (Tensor, Tensor)
2025-11..2026-02 npu::npu_dynamic_quant(Tensor input, *, Tensor? smooth_scales=None, Tensor? group_index=None, int? dst_type=None, str quant_mode="pertoken") -> (Tensor, Tensor)
2025-05..2025-10 npu::npu_dynamic_quant(Tensor input, *, Tensor? smooth_scales=None, Tensor? group_index=None, ScalarType? dst_type=None) -> (Tensor, Tensor)
2025-11..2026-08 npu::npu_quantize(Tensor self, Tensor scales, Tensor? zero_points, int dtype, int axis=1, bool div_mode=True) -> Tensor
2025-05..2025-10 npu::npu_quantize(Tensor self, Tensor scales, Tensor? zero_points, ScalarType dtype, int axis=1, bool div_mode=True) -> Tensor
2025-09..2026-08 npu::npu_swiglu_quant(Tensor x, *, Tensor? smooth_scales=None, Tensor? offsets=None, Tensor? group_index=None, bool activate_left=False, int quant_mode=0, int group_list_type=0, ScalarType? dst_type=None) -> (Tensor, Tensor)
2026-03..2026-08 npu::npu_swiglu_mx_quant(Tensor x, *, Tensor? group_index=None, int activate_dim=-1, bool activate_left=False, int swiglu_mode=0, float clamp_limit=7.0, float glu_alpha=1.702, float glu_bias=1.0, int group_mode=0, int axis=-1, int dst_type=296, str round_mode="rint", int scale_alg=0, float max_dtype_value=0) -> (Tensor, Tensor)
2025-05..2026-08 npu::npu_gelu(Tensor self, *, str approximate="none") -> Tensor
2025-12..2026-08 npu::npu_rotary_mul(Tensor self, Tensor r1, Tensor r2, str rotary_mode="half", Tensor? rotate=None) -> Tensor
2025-05..2025-11 npu::npu_rotary_mul(Tensor self, Tensor r1, Tensor r2, str rotary_mode="half") -> Tensor
2026-05..2026-08 npu::npu_apply_rotary_pos_emb(Tensor query, Tensor key, Tensor cos, Tensor sin, str layout="BSND", str rotary_mode="half") -> (Tensor, Tensor)
2025-07..2026-04 npu::npu_apply_rotary_pos_emb(Tensor query, Tensor key, Tensor cos, Tensor sin, str layout="BSH", str rotary_mode="half") -> (Tensor, Tensor)
2025-05..2025-06 npu::npu_apply_rotary_pos_emb(Tensor query, Tensor key, Tensor cos, Tensor sin, str layout="BSH") -> (Tensor, Tensor)
# vLLM-Ascend csrc/torch_binding.cpp
2026-01..2026-08 _C_ascend::npu_add_rms_norm_bias(Tensor x1, Tensor x2, Tensor gamma, Tensor? beta=None, float epsilon=1e-6) -> (Tensor y, Tensor rstd, Tensor x)
2025-12..2026-07 _C_ascend::matmul_allreduce_add_rmsnorm(Tensor x1, Tensor x2, Tensor residual, Tensor gamma, str groupTp, int tpRankSize, int tpRankId, float epsilon, bool isTransB, bool isGatherAddOut) -> (Tensor output, Tensor add_out)
# vLLM-Ascend vllm_ascend/ops/register_custom_ops.py
2025-12..2026-08 vllm::quantize(Tensor in_tensor, Tensor input_scale, Tensor input_scale_reciprocal, Tensor input_offset) -> Tensor
# vLLM-Ascend vllm_ascend/ops/linear.py
2026-01..2026-08 vllm::unquantized_gemm(Tensor x, Tensor weight, Tensor? bias=None) -> Tensor
# vLLM-Ascend vllm_ascend/ops/register_custom_ops.py
2026-08..2026-08 vllm::maybe_all_gather_and_maybe_unpad(Tensor x) -> Tensor
2025-10..2026-08 vllm::maybe_all_gather_and_maybe_unpad(Tensor x, bool label, bool is_ep_comm=False) -> Tensor
2025-09..2025-10 vllm::maybe_all_gather_and_maybe_unpad(Tensor x, bool label) -> Tensor
2025-10..2026-08 vllm::maybe_pad_and_reduce(Tensor x, bool is_ep_comm=False) -> Tensor
2025-09..2026-08 vllm::maybe_pad_and_reduce(Tensor x) -> Tensor
2025-09..2026-08 vllm::maybe_chunk_residual(Tensor x, Tensor residual) -> Tensor
# vLLM vllm/model_executor/models/utils.py
2025-09..2026-08 vllm::sequence_parallel_chunk_impl(Tensor x) -> Tensor
# vLLM-Ascend vllm_ascend/ops/triton/linearnorm/split_qkv_rmsnorm_rope.py
2026-02..2026-08 vllm::qkv_rmsnorm_rope(Tensor input, Tensor cos_sin_cache, Tensor positions, Tensor q_weight, Tensor k_weight, int q_hidden_size, int kv_hidden_size, int head_dim, float eps, Tensor? q_bias=None, Tensor? k_bias=None) -> (Tensor, Tensor, Tensor)
2026-01..2026-01 vllm::qkv_rmsnorm_rope(Tensor input, Tensor sin, Tensor cos, Tensor q_weight, Tensor k_weight, int q_hidden_size, int kv_hidden_size, int head_dim, float eps, Tensor? q_bias=None, Tensor? k_bias=None) -> (Tensor, Tensor, Tensor)
2025-12..2025-12 vllm::qkv_rmsnorm_rope(Tensor input, Tensor sin, Tensor cos, Tensor q_weight, Tensor k_weight, int q_hidden_size, int kv_hidden_size, int head_dim, float eps, Tensor? q_bias, Tensor? k_bias) -> (Tensor, Tensor, Tensor)
# vLLM-Ascend vllm_ascend/ops/triton/linearnorm/split_qkv_rmsnorm_rope_simt.py
2026-06..2026-08 vllm::qkv_rmsnorm_rope_simt(Tensor input, Tensor cos_sin_cache, Tensor positions, Tensor q_weight, Tensor k_weight, int q_hidden_size, int kv_hidden_size, int head_dim, float eps, Tensor? q_bias=None, Tensor? k_bias=None) -> (Tensor, Tensor, Tensor)
# vLLM-Ascend vllm_ascend/ops/register_custom_ops.py
2026-02..2026-08 vllm::npu_rotary_embedding(Tensor positions, Tensor query, Tensor key, Tensor cos_sin_cache, int head_size, int rotary_dim, bool is_neox_style, Tensor? offsets=None) -> (Tensor, Tensor)
2026-01..2026-01 vllm::rope_forward_triton(Tensor q, Tensor k, Tensor cos, Tensor sin, int rope_dim=-1, bool is_neox_style=True) -> (Tensor, Tensor)`
