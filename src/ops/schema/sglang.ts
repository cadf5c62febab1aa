/** Schemas of SGLang's operators, as its torch bindings and its Python register them: data, one operator a line. */
export const SGLANG = `sgl_kernel::silu_and_mul(Tensor! out, Tensor input) -> ()
sgl_kernel::gelu_and_mul(Tensor! out, Tensor input) -> ()
sgl_kernel::gelu_tanh_and_mul(Tensor! out, Tensor input) -> ()
sgl_kernel::rmsnorm(Tensor! output, Tensor input, Tensor weight, float eps, bool enable_pdl) -> ()
sgl_kernel::gemma_rmsnorm(Tensor! output, Tensor input, Tensor weight, float eps, bool enable_pdl) -> ()
sgl_kernel::fused_add_rmsnorm(Tensor! input, Tensor! residual, Tensor weight, float eps, bool enable_pdl) -> ()
sgl_kernel::gemma_fused_add_rmsnorm(Tensor! input, Tensor! residual, Tensor weight, float eps, bool enable_pdl) -> ()
sgl_kernel::apply_rope_pos_ids_cos_sin_cache(Tensor q, Tensor k, Tensor! q_rope, Tensor! k_rope, Tensor cos_sin_cache, Tensor pos_ids, bool interleave, bool enable_pdl, int cuda_stream, Tensor? v, Tensor!? k_buffer, Tensor!? v_buffer, Tensor? kv_cache_loc) -> ()
sgl_kernel::sgl_per_tensor_quant_fp8(Tensor input, Tensor! output_q, Tensor output_s, bool is_static) -> ()
sgl_kernel::sgl_per_token_quant_fp8(Tensor input, Tensor! output_q, Tensor! output_s) -> ()
sgl_kernel::sgl_per_token_group_quant_fp8(Tensor input, Tensor! output_q, Tensor! output_s, int group_size, float eps, float fp8_min, float fp8_max, bool scale_ue8m0) -> ()
sgl_kernel::sgl_per_token_group_quant_int8(Tensor input, Tensor! output_q, Tensor! output_s, int group_size, float eps, float int8_min, float int8_max) -> ()
sgl_kernel::sgl_per_token_group_quant_8bit(Tensor input, Tensor! output_q, Tensor! output_s, int group_size, float eps, float fp8_min, float fp8_max, bool scale_ue8m0) -> ()
sgl_kernel::fp8_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype, Tensor? bias) -> Tensor
sgl_kernel::int8_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype, Tensor? bias) -> Tensor
sgl_kernel::fp8_blockwise_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype) -> Tensor
sgl_kernel::topk_softmax(Tensor! topk_weights, Tensor! topk_indices, Tensor gating_output, bool renormalize) -> ()
sgl_kernel::moe_align_block_size(Tensor topk_ids, int num_experts, int block_size, Tensor! sorted_token_ids, Tensor! experts_ids, Tensor! num_tokens_post_pad, Tensor! cumsum_buffer, bool pad_sorted_token_ids) -> ()
sgl_kernel::all_reduce(int fa, Tensor inp, Tensor! out, int reg_buffer, int reg_buffer_sz_bytes) -> ()
sglang::inplace_all_reduce(Tensor(a!) tensor, str group_name) -> ()
sglang::outplace_all_reduce(Tensor tensor, str group_name, str outplace_all_reduce_method) -> Tensor
sgl_kernel::merge_state_v2(Tensor v_a, Tensor s_a, Tensor v_b, Tensor s_b, Tensor! v_merged, Tensor! s_merged) -> ()`
