/** Schemas of torch_npu's and vLLM-Ascend's operators, from their documentation: data, one operator a line. */
export const ASCEND = `npu::npu_rms_norm(Tensor self, Tensor gamma, float epsilon=1e-06) -> (Tensor, Tensor)
npu::npu_add_rms_norm(Tensor x1, Tensor x2, Tensor gamma, float epsilon=1e-06) -> (Tensor, Tensor, Tensor)
npu::npu_add_rms_norm_quant(Tensor x1, Tensor x2, Tensor gamma, Tensor scales1, Tensor? zero_points1, Tensor? beta=None, Tensor? scales2=None, Tensor? zero_points2=None, *, int axis=-1, float epsilon=1e-06, bool div_mode=True) -> (Tensor, Tensor, Tensor)
npu::npu_add_rms_norm_dynamic_quant(Tensor x1, Tensor x2, Tensor gamma, *, Tensor? smooth_scale1=None, Tensor? smooth_scale2=None, Tensor? beta=None, float epsilon=1e-06, bool[2] output_mask=[]) -> (Tensor, Tensor, Tensor, Tensor, Tensor)
npu::npu_add_rms_norm_dynamic_mx_quant(Tensor x1, Tensor x2, Tensor gamma, *, Tensor? beta=None, float epsilion=1e-06, int scale_alg=0, str round_mode="rint", ScalarType? dst_type=None) -> (Tensor, Tensor, Tensor, Tensor)
npu::npu_dynamic_quant(Tensor input, *, Tensor? smooth_scales=None, Tensor? group_index=None, ScalarType? dst_type=None) -> (Tensor, Tensor)
npu::npu_dynamic_mx_quant(Tensor input, *, int axis=-1, str round_mode="rint", ScalarType? dst_type=None, int block_size=32, int scale_alg=0) -> (Tensor, Tensor)
npu::npu_quantize(Tensor self, Tensor scales, Tensor? zero_points, ScalarType dtype, int axis=1, bool div_mode=True) -> Tensor
npu::npu_swiglu(Tensor self, int dim=-1) -> Tensor
npu::npu_swiglu_quant(Tensor x, *, Tensor? smooth_scales=None, Tensor? offsets=None, Tensor? group_index=None, bool activate_left=False, int quant_mode=0, int group_list_type=0, ScalarType? dst_type=None) -> (Tensor, Tensor)
npu::npu_swiglu_mx_quant(Tensor x, *, bool activation_left=False, int axis=-1, str round_mode="rint", ScalarType? dst_type=None, int block_size=32, int scale_alg=0) -> (Tensor, Tensor)
npu::npu_gelu(Tensor self, *, str approximate="none") -> Tensor
npu::npu_rotary_mul(Tensor self, Tensor r1, Tensor r2, str rotary_mode="half") -> Tensor
npu::npu_apply_rotary_pos_emb(Tensor query, Tensor key, Tensor cos, Tensor sin, str layout="BSND", str rotary_mode="half") -> (Tensor, Tensor)
_C_ascend::npu_add_rms_norm_bias(Tensor x1, Tensor x2, Tensor gamma, Tensor? beta, float epsilon=1e-06) -> (Tensor, Tensor, Tensor)
_C_ascend::matmul_allreduce_add_rmsnorm(Tensor x1, Tensor x2, Tensor residual, Tensor gamma, str group_tp, int tp_rank_size, int tp_rank_id, float epsilon, bool is_trans_b, bool is_gather_add_out) -> (Tensor, Tensor)
vllm::quantize(Tensor in_tensor, Tensor input_scale, Tensor input_scale_reciprocal, Tensor input_offset) -> Tensor
vllm::unquantized_gemm(Tensor x, Tensor weight, Tensor? bias=None) -> Tensor
vllm::maybe_all_gather_and_maybe_unpad(Tensor x, bool label, bool is_ep_comm=False) -> Tensor
vllm::maybe_pad_and_reduce(Tensor x, bool is_ep_comm=False) -> Tensor
vllm::maybe_chunk_residual(Tensor x, Tensor residual) -> Tensor
vllm::sequence_parallel_chunk_impl(Tensor x) -> Tensor
vllm::qkv_rmsnorm_rope(Tensor input, Tensor q_weight, Tensor k_weight, int q_hidden_size, int kv_hidden_size, int head_dim, float eps, Tensor? q_bias, Tensor? k_bias, Tensor sin, Tensor cos, int? rotary_dim=None) -> (Tensor, Tensor, Tensor)
vllm::rope_forward_triton(Tensor q, Tensor k, Tensor cos, Tensor sin, int rope_dim=-1, bool is_neox_style=True) -> (Tensor, Tensor)`
