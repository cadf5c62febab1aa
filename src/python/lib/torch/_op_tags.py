"""Tags of the operators of PyTorch 2.14.1 by tag. `out` is derived from the schema; all but _NOT_COMPLIANT have pt2_compliant_tag.

One packet a word, with its overloads; a packet without a namespace is aten's, one without overloads has `default` alone.

Reason for length: one table of names."""

NAMES = (
    "core", "cudagraph_unsafe", "data_dependent_output", "dynamic_output_shape", "flexible_layout", "generated", "inplace",
    "inplace_view", "maybe_aliasing_or_mutating", "needs_contiguous_strides", "needs_exact_strides",
    "needs_fixed_stride_order", "nondeterministic_bitwise", "nondeterministic_seeded", "out", "out_variant", "pointwise",
    "pt2_compliant_tag", "reduction", "view_copy",
)
NOT_COMPLIANT = frozenset((
    "aten.quantized_gru.input", "aten.quantized_gru.data", "aten.quantized_gru.input_legacy", "aten.quantized_gru.data_legacy",
    "aten.get_gradients.default", "prims.convert_element_type.default", "aten.shallow_copy_data_.default",
    "aten.quantized_lstm.input", "aten.quantized_lstm.data", "aten.quantized_lstm.input_legacy",
    "aten.quantized_lstm.data_legacy",
))
TEXTS = {
    "core": """
_adaptive_avg_pool2d _adaptive_avg_pool2d_backward _adaptive_avg_pool3d _cdist_forward _embedding_bag _fft_c2r
_fft_r2c _local_scalar_dense _log_softmax _native_batch_norm_legit/default/no_stats
_native_batch_norm_legit_no_training _pdist_forward _softmax _to_copy abs acos acosh adaptive_avg_pool1d
add/Scalar/Tensor addmm alias amax amin any/default/dim/dims arange/start_step argmax argmin as_strided asin asinh
atan atan2/default/out atanh avg_pool1d avg_pool2d avg_pool2d_backward avg_pool3d bitwise_and/Scalar/Tensor
bitwise_not bitwise_or/Scalar/Tensor bitwise_xor/Scalar/Tensor bmm cat ceil clamp/Tensor/default clone col2im
constant_pad_nd convolution convolution_backward copy cos cosh cumsum diagonal
div/Scalar/Scalar_mode/Tensor/Tensor_mode elu embedding embedding_dense_backward empty/memory_format empty_strided
eq/Scalar/Tensor erf exp expand expm1 fill/Scalar flip floor fmod/Scalar/Tensor full full_like gather ge/Scalar/Tensor
gelu grid_sampler_2d gt/Scalar/Tensor hardtanh index/Tensor index_put index_select isinf isnan le/Scalar/Tensor
leaky_relu log log10 log1p log2 logical_and logical_not logical_or logical_xor lt/Scalar/Tensor masked_scatter max/dim
max_pool2d_with_indices max_pool2d_with_indices_backward max_pool3d_with_indices maximum mean/default/dim min/dim
minimum mm mul/Scalar/Tensor native_dropout native_group_norm native_group_norm_backward native_layer_norm
native_layer_norm_backward ne/Scalar/Tensor neg nonzero permute pow/Scalar/Tensor_Scalar/Tensor_Tensor
prod/default/dim_int rand randn randperm reciprocal reflection_pad1d reflection_pad2d reflection_pad3d relu
remainder/Scalar/Tensor repeat replication_pad2d replication_pad3d resize_ round rsqrt scalar_tensor scatter/src/value
scatter_add scatter_reduce/two select/int select_scatter sigmoid sign sin sinh slice/Tensor slice_scatter sort
split_with_sizes sqrt squeeze/dim/dims sub/Scalar/Tensor sum/dim_IntList sym_is_contiguous sym_numel sym_size/int
sym_storage_offset sym_stride/int tan tanh topk trunc unsqueeze upsample_bilinear2d/vec upsample_nearest2d/vec
var/correction/dim view where/self
""",
    "data_dependent_output": """
_local_scalar_dense allclose equal item
""",
    "dynamic_output_shape": """
_ctc_loss/Tensor/default _unique _unique2 argwhere bincount index/Tensor linalg_lstsq/default/out
masked_select/default/out nonzero/default/out one_hot repeat_interleave/Tensor unique_consecutive unique_dim
unique_dim_consecutive
""",
    "generated": """
__lshift__/Scalar_out/Tensor_out __rshift__/Scalar_out/Tensor_out _adaptive_avg_pool2d/out
_adaptive_avg_pool2d_backward/out _adaptive_avg_pool3d/out _adaptive_avg_pool3d_backward/out _add_relu/Scalar_out
_aminmax/dim_out/out _amp_foreach_non_finite_check_and_unscale/default/out _amp_update_scale/default/out
_batch_norm_no_update/out _batch_norm_with_update_functional _cdist_backward/out _cdist_forward/out
_cholesky_solve_helper/out _coalesce/out _coalesced/default/out _conj_copy/out _conj_physical/out _convolution/out
_copy_from/out _copy_from_and_resize/out _ctc_loss/Tensor_out/out _ctc_loss_backward/out _cudnn_ctc_loss/out
_cudnn_init_dropout_state/out _cudnn_rnn/out _cudnn_rnn_backward/out _cudnn_rnn_flatten_weight/out _dirichlet_grad/out
_efficientzerotensor/out _embedding_bag/out _embedding_bag_dense_backward/out _embedding_bag_forward_only/out
_embedding_bag_per_sample_weights_backward/out _empty_affine_quantized/out _empty_per_channel_affine_quantized/out
_euclidean_dist/out _fake_quantize_learnable_per_channel_affine/out _fake_quantize_learnable_per_tensor_affine/out
_fake_quantize_per_tensor_affine_cachemask_tensor_qparams/out _foobar/out _foreach_abs/out _foreach_acos/out
_foreach_add/List_out/ScalarList_out/Scalar_out/Tensor_out _foreach_addcdiv/ScalarList_out/Scalar_out/Tensor_out
_foreach_addcmul/ScalarList_out/Scalar_out/Tensor_out _foreach_asin/out _foreach_atan/out _foreach_ceil/out
_foreach_clamp_max/List_out/ScalarList_out/Scalar_out _foreach_clamp_min/List_out/ScalarList_out/Scalar_out
_foreach_clone/out _foreach_copy/out _foreach_cos/out _foreach_cosh/out
_foreach_div/List_out/ScalarList_out/Scalar_out/Tensor_out _foreach_erf/out _foreach_erfc/out _foreach_exp/out
_foreach_expm1/out _foreach_floor/out _foreach_frac/out _foreach_lerp/List_out/ScalarList_out/Scalar_out
_foreach_lgamma/out _foreach_log/out _foreach_log10/out _foreach_log1p/out _foreach_log2/out _foreach_max/out
_foreach_maximum/List_out/ScalarList_out/Scalar_out _foreach_minimum/List_out/ScalarList_out/Scalar_out
_foreach_mul/List_out/ScalarList_out/Scalar_out/Tensor_out _foreach_neg/out _foreach_norm/Scalar_out
_foreach_pow/List_out/ScalarList_out/Scalar_out _foreach_powsum/Scalar_out _foreach_reciprocal/out _foreach_round/out
_foreach_rsqrt/out _foreach_sigmoid/out _foreach_sign/out _foreach_sin/out _foreach_sinh/out _foreach_sqrt/out
_foreach_sub/List_out/ScalarList_out/Scalar_out _foreach_tan/out _foreach_tanh/out _foreach_trunc/out
_foreach_zero/default/out _fused_adagrad/default/out/tensor_lr/tensor_lr_out
_fused_adam/default/out/tensor_lr/tensor_lr_out _fused_adamw/default/out/tensor_lr/tensor_lr_out _fused_dropout/out
_fused_moving_avg_obs_fq_helper/out _fused_moving_avg_obs_fq_helper_functional
_fused_sgd/default/out/tensor_lr/tensor_lr_out _fw_primal_copy/out _grid_sampler_2d_cpu_fallback/out
_histogramdd_bin_edges/out _histogramdd_from_bin_cts/out _histogramdd_from_bin_tensors/out _index_put_impl/default/out
_indices_copy/out _lstm_mps/out _make_dual_copy/out _make_per_channel_quantized_tensor/out
_make_per_tensor_quantized_tensor/out _masked_scale/out _masked_softmax/out _masked_softmax_backward/out
_mkldnn_reshape/out _mkldnn_transpose/out _mps_convolution/out _mps_convolution_transpose/out
_native_batch_norm_legit_functional _native_batch_norm_legit_no_training/out _native_multi_head_attention/out
_neg_view_copy/out _nested_from_padded/out _nested_from_padded_and_nested_example/out _nested_get_values_copy/out
_nested_tensor_from_mask/out _nested_tensor_from_tensor_list/out _nested_tensor_size/out
_nested_tensor_storage_offsets/out _nested_tensor_strides/out _nested_view_from_buffer_copy/out
_nested_view_from_jagged_copy/out _new_zeros_with_same_feature_meta/out _nnpack_spatial_convolution/out
_pack_padded_sequence/out _pdist_backward/out _pdist_forward/out _philox_normal/default/out
_philox_uniform/default/out _pin_memory/out _reshape_alias_copy/out _resize_output/default/out _sample_dirichlet/out
_segment_reduce_backward/out _slow_conv2d_backward/output_mask_out _sparse_addmm/out _sparse_broadcast_to_copy/out
_sparse_coo_tensor_with_dims/out _sparse_coo_tensor_with_dims_and_tensors/out _sparse_csr_prod/dim_dtype_out
_sparse_csr_sum/dim_dtype_out _sparse_log_softmax/out _sparse_log_softmax_backward_data/out
_sparse_mask_projection/out _sparse_softmax/out _sparse_softmax_backward_data/out _sparse_sparse_matmul/out
_sparse_sum/dim_out _sparse_sum_backward/out _spdiags/out _standard_gamma/out _standard_gamma_grad/out
_test_autograd_multiple_dispatch/fullcoverage_out _test_autograd_multiple_dispatch_view_copy/out
_test_functorch_fallback/out _test_optional_filled_intlist/out _test_optional_floatlist/out _test_optional_intlist/out
_test_warn_in_autograd/out _thnn_fused_gru_cell/out _thnn_fused_gru_cell_backward/out _thnn_fused_lstm_cell/out
_thnn_fused_lstm_cell_backward_impl/out _to_copy/out _to_dense/out _to_sparse/out/sparse_dim_out _to_sparse_bsc/out
_to_sparse_bsr/out _to_sparse_csc/out _to_sparse_csr/out _transform_bias_rescale_qkv/out
_transformer_encoder_layer_fwd/out _trilinear/out _triton_multi_head_attention/out _triton_scaled_dot_attention/out
_unique/out _unique2/out _unsafe_view/out _values_copy/out _weight_norm_interface/out
_weight_norm_interface_backward/out adaptive_avg_pool1d/out add/Scalar_out affine_grid_generator/out alias_copy/out
as_strided_copy/out as_strided_scatter/out avg_pool1d/out bartlett_window/out/periodic_out
batch_norm_backward_elemt/out batch_norm_backward_reduce/out batch_norm_gather_stats/out
batch_norm_gather_stats_with_counts/out batch_norm_stats/out batch_norm_update_stats/out
bernoulli/Tensor/Tensor_out/float_out binary_cross_entropy_with_logits/out bincount/out binomial/out
bitwise_and/Scalar_Tensor_out bitwise_left_shift/Scalar_Tensor_out bitwise_or/Scalar_Tensor_out
bitwise_right_shift/Scalar_Tensor_out bitwise_xor/Scalar_Tensor_out blackman_window/out/periodic_out block_diag/out
bucketize/Scalar_out cauchy/default/out ccol_indices_copy/out celu/out channel_shuffle/out clone/out
col_indices_copy/out constant_pad_nd/out conv_depthwise3d/out conv_tbc/out convolution/out convolution_backward/out
convolution_backward_overrideable/out convolution_overrideable/out copy/out copy_sparse_to_sparse/default/out
count_nonzero/dim_IntList_out/out crow_indices_copy/out cudnn_affine_grid_generator/out
cudnn_affine_grid_generator_backward/out cudnn_batch_norm_backward/out cudnn_convolution_add_relu/out
cudnn_convolution_relu/out cudnn_convolution_transpose/out cudnn_grid_sampler/out cudnn_grid_sampler_backward/out
dequantize/self_out/tensors_out detach_copy/out diag_embed/out diagonal_backward/out diagonal_copy/out
diagonal_scatter/out dist/out div/Scalar_mode_out/Scalar_out embedding/out embedding_dense_backward/out
embedding_renorm/default/out empty_like/out empty_permuted/out empty_quantized/out empty_strided/out expand_copy/out
exponential/default/out fake_quantize_per_channel_affine_cachemask/out fake_quantize_per_tensor_affine_cachemask/out
fill/Scalar_out/Tensor_out flip/out floor_divide/Scalar_out from_file/out full_like/out geometric/default/out
glu_backward_jvp/out glu_jvp/out grid_sampler_2d/out grid_sampler_2d_backward/out grid_sampler_3d/out
grid_sampler_3d_backward/out hamming_window/out/periodic_alpha_beta_out/periodic_alpha_out/periodic_out
hann_window/out/periodic_out hardswish_backward/out index_fill/int_Scalar_out/int_Tensor_out index_put/out
indices_copy/out int_repr/out isinf/out isnan/out kaiser_window/beta_out/out/periodic_out lift/out lift_fresh_copy/out
linalg_matrix_exp/out linalg_matrix_sqrth/out linear_backward/out log_normal/default/out lstm_mps_backward/out
masked_fill/Scalar_out/Tensor_out masked_scatter/out matmul_backward/out max_pool2d_backward/out median/out
miopen_batch_norm/out miopen_batch_norm_backward/out miopen_convolution/out miopen_convolution_transpose/out
miopen_ctc_loss/out miopen_depthwise_convolution/out miopen_rnn/out miopen_rnn_backward/out
mkldnn_adaptive_avg_pool2d_backward/out mkldnn_convolution/out mkldnn_linear/out mkldnn_linear_backward/out
mkldnn_linear_backward_input/out mkldnn_linear_backward_weights/out mkldnn_max_pool2d/out
mkldnn_max_pool2d_backward/out mkldnn_max_pool3d/out mkldnn_max_pool3d_backward/out mkldnn_reorder_conv2d_weight/out
mkldnn_reorder_conv3d_weight/out mkldnn_rnn_layer/out mkldnn_rnn_layer_backward/out mps_convolution_backward/out
mps_convolution_transpose_backward/out mul/Scalar_out nanmedian/out native_batch_norm_backward/out native_dropout/out
native_dropout_backward/out native_group_norm/out native_group_norm_backward/out native_layer_norm/out
native_layer_norm_backward/out native_norm/ScalarOpt_dim_dtype_out/out new_empty/out new_empty_strided/out
new_full/out new_ones/out new_zeros/out norm/ScalarOpt_dtype_out/Scalar_out normal/out ones_like/out permute_copy/out
pixel_shuffle/out pixel_unshuffle/out poisson/out prod/out put/out q_per_channel_scales/out
q_per_channel_zero_points/out quantize_per_channel/out quantize_per_tensor/out/tensor_qparams_out/tensors_out
quantize_per_tensor_dynamic/out quantized_batch_norm/out quantized_max_pool1d/out quantized_max_pool2d/out
quantized_max_pool3d/out rand_like/generator_out/out
randint_like/Tensor_generator_out/Tensor_out/generator_out/low_dtype_out/low_generator_dtype_out/out
randn_like/generator_out/out random/default/from/from_out/out/to/to_out relu/out remainder/Scalar_Tensor_out
repeat/out repeat_interleave/Tensor_out resize/default/out resize_as/default/out resize_as_sparse/default/out roll/out
rot90/out row_indices_copy/out rrelu_with_noise_backward/out rrelu_with_noise_functional rsub/Scalar_out/Tensor_out
scalar_tensor/out segment_reduce/out select_backward/out select_copy/int_out select_scatter/out
set/default/out/source_Storage/source_Storage_out/source_Storage_storage_offset/source_Storage_storage_offset_out/source_Tensor/source_Tensor_out
slice_backward/out slice_copy/Tensor_out slice_scatter/out slow_conv_dilated2d/out slow_conv_dilated3d/out
sparse_coo_tensor/size_out sparse_mask/out sparse_resize/default/out sparse_resize_and_clear/default/out
squeeze_copy/dim_out/dims_out/out std_mean/correction_out sub/Scalar_out sum/out t_copy/out to_mkldnn/out
to_padded_tensor/out trace/out transpose_copy/int_out tril_indices/out triu_indices/out unfold_backward/out
unfold_copy/out uniform/default/out unique_consecutive/out unique_dim/out unique_dim_consecutive/out
unsafe_split/Tensor_out unsafe_split_with_sizes/out unsqueeze_copy/out upsample_bilinear2d/vec_out
upsample_nearest2d/vec_out values_copy/out var_mean/correction_out view_as_complex_copy/out view_as_real_copy/out
view_copy/dtype_out/out zero/default/out zeros_like/out prims.resize prims.uniform
""",
    "inplace": """
__iand__/Scalar/Tensor __ilshift__/Scalar/Tensor __ior__/Scalar/Tensor __irshift__/Scalar/Tensor
__ixor__/Scalar/Tensor _add_relu_/Scalar/Tensor _amp_foreach_non_finite_check_and_unscale_ _amp_update_scale_
_coalesced_ _fill_mem_eff_dropout_mask_ _foreach_abs_ _foreach_acos_ _foreach_add_/List/Scalar/ScalarList/Tensor
_foreach_addcdiv_/Scalar/ScalarList/Tensor _foreach_addcmul_/Scalar/ScalarList/Tensor _foreach_asin_ _foreach_atan_
_foreach_ceil_ _foreach_clamp_max_/List/Scalar/ScalarList _foreach_clamp_min_/List/Scalar/ScalarList _foreach_copy_
_foreach_cos_ _foreach_cosh_ _foreach_div_/List/Scalar/ScalarList/Tensor _foreach_erf_ _foreach_erfc_ _foreach_exp_
_foreach_expm1_ _foreach_floor_ _foreach_frac_ _foreach_lerp_/List/Scalar/ScalarList _foreach_lgamma_ _foreach_log10_
_foreach_log1p_ _foreach_log2_ _foreach_log_ _foreach_maximum_/List/Scalar/ScalarList
_foreach_minimum_/List/Scalar/ScalarList _foreach_mul_/List/Scalar/ScalarList/Tensor _foreach_neg_
_foreach_pow_/List/Scalar/ScalarList _foreach_reciprocal_ _foreach_round_ _foreach_rsqrt_ _foreach_sigmoid_
_foreach_sign_ _foreach_sin_ _foreach_sinh_ _foreach_sqrt_ _foreach_sub_/List/Scalar/ScalarList _foreach_tan_
_foreach_tanh_ _foreach_trunc_ _foreach_zero_ _fused_adagrad_/default/tensor_lr _fused_adam_/default/tensor_lr
_fused_adamw_/default/tensor_lr _fused_sgd_/default/tensor_lr _index_put_impl_ _mkldnn_transpose_ _philox_normal_
_philox_uniform_ _resize_output_ _sobol_engine_ff_ _sobol_engine_initialize_state_ _sobol_engine_scramble_ abs_
absolute_ acos_ acosh_ add_/Scalar/Tensor addbmm_ addcdiv_ addcmul_ addmm_ addmv_ addr_ alpha_dropout_ arccos_
arccosh_ arcsin_ arcsinh_ arctan2_ arctan_ arctanh_ as_strided_ asin_ asinh_ atan2_ atan_ atanh_ baddbmm_
bernoulli_/Tensor/float bitwise_and_/Scalar/Tensor bitwise_left_shift_/Tensor/Tensor_Scalar bitwise_not_
bitwise_or_/Scalar/Tensor bitwise_right_shift_/Tensor/Tensor_Scalar bitwise_xor_/Scalar/Tensor cauchy_ ceil_ celu_
clamp_/Tensor/default clamp_max_/Tensor/default clamp_min_/Tensor/default clip_/Tensor/default conj_physical_ copy_
copy_sparse_to_sparse_ copysign_/Scalar/Tensor cos_ cosh_ cumprod_ cumsum_ deg2rad_ detach_ digamma_
div_/Scalar/Scalar_mode/Tensor/Tensor_mode divide_/Scalar/Scalar_mode/Tensor/Tensor_mode dropout_ elu_
embedding_renorm_ eq_/Scalar/Tensor erf_ erfc_ erfinv_ exp2_ exp_ expm1_ exponential_ feature_alpha_dropout_
feature_dropout_ fill_/Scalar/Tensor fill_diagonal_ fix_ float_power_/Scalar/Tensor floor_ floor_divide_/Scalar/Tensor
fmod_/Scalar/Tensor frac_ gcd_ ge_/Scalar/Tensor gelu_ geometric_ greater_/Scalar/Tensor greater_equal_/Scalar/Tensor
gt_/Scalar/Tensor hardsigmoid_ hardswish_ hardtanh_ heaviside_ hypot_ i0_ igamma_ igammac_ index_add_ index_copy_
index_fill_/int_Scalar/int_Tensor index_put_ index_reduce_ lcm_ ldexp_ le_/Scalar/Tensor leaky_relu_
lerp_/Scalar/Tensor less_/Scalar/Tensor less_equal_/Scalar/Tensor lgamma_ log10_ log1p_ log2_ log_ log_normal_
logical_and_ logical_not_ logical_or_ logical_xor_ logit_ lt_/Scalar/Tensor masked_fill_/Scalar/Tensor masked_scatter_
mish_ mul_/Scalar/Tensor multiply_/Scalar/Tensor mvlgamma_ nan_to_num_ ne_/Scalar/Tensor neg_ negative_ nextafter_
normal_ not_equal_/Scalar/Tensor polygamma_ pow_/Scalar/Tensor put_ rad2deg_ random_/default/from/to reciprocal_
relu6_ relu_ remainder_/Scalar/Tensor renorm_ requires_grad_ resize_ resize_as_ resize_as_sparse_
round_/decimals/default rrelu_ rrelu_with_noise_ rsqrt_ scatter_/reduce/src/value/value_reduce scatter_add_
scatter_reduce_/two selu_
set_/default/source_Storage/source_Storage_storage_offset/source_Tensor/source_Tensor_storage_offset sgn_ sigmoid_
sign_ silu_ sin_ sinc_ sinh_ sparse_resize_ sparse_resize_and_clear_ sqrt_ square_ squeeze_/default/dim/dims
sub_/Scalar/Tensor subtract_/Scalar/Tensor swapaxes_ swapdims_ t_ tan_ tanh_ threshold_ transpose_ tril_ triu_
true_divide_/Scalar/Tensor trunc_ uniform_ unsqueeze_ xlogy_/Scalar_Other/Tensor zero_
""",
    "inplace_view": """
as_strided_ detach_ resize_ resize_as_
set_/default/source_Storage/source_Storage_storage_offset/source_Tensor/source_Tensor_storage_offset
squeeze_/default/dim/dims swapaxes_ swapdims_ t_ transpose_ unsqueeze_
""",
    "maybe_aliasing_or_mutating": """
_batch_norm_impl_index alpha_dropout atleast_1d atleast_2d atleast_3d batch_norm cartesian_prod conj_physical dropout
feature_alpha_dropout feature_dropout unsafe_chunk
""",
    "needs_contiguous_strides": """
_c10d_functional.all_gather_into_tensor _c10d_functional.all_gather_into_tensor_coalesced
_c10d_functional.all_gather_into_tensor_out _c10d_functional.all_to_all_single _c10d_functional.reduce_scatter_tensor
_c10d_functional.reduce_scatter_tensor_coalesced _c10d_functional.reduce_scatter_tensor_out
""",
    "needs_exact_strides": """
_scaled_grouped_mm _scaled_grouped_mm_v2/default/out _scaled_mm/default/out _scaled_mm_v2/default/out
""",
    "needs_fixed_stride_order": """
_cslt_sparse_mm
""",
    "nondeterministic_seeded": """
_cudnn_attention_backward _cudnn_attention_forward _cudnn_init_dropout_state/default/out _cudnn_rnn/default/out
_efficient_attention_forward _fill_mem_eff_dropout_mask_ _flash_attention_forward/default/quantized
_flash_attention_forward_no_dropout_inplace _fused_dropout/default/out _fused_sdp_choice _lstm_mps/default/out
_nested_tensor_softmax_with_shape _sample_dirichlet/default/out _scaled_dot_product_attention_math
_scaled_dot_product_attention_math_for_mps _scaled_dot_product_cudnn_attention
_scaled_dot_product_cudnn_attention_backward _scaled_dot_product_efficient_attention
_scaled_dot_product_efficient_attention_backward _scaled_dot_product_flash_attention/default/quantized
_scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_fused_attention_overrideable
_standard_gamma/default/out _triton_scaled_dot_attention/default/out alpha_dropout alpha_dropout_
bernoulli/Tensor/Tensor_out/default/float_out/out/p bernoulli_/Tensor/float binomial/default/out cauchy/default/out
cauchy_ dropout dropout_ exponential/default/out exponential_ feature_alpha_dropout feature_alpha_dropout_
feature_dropout feature_dropout_ geometric/default/out geometric_ gru/data/input log_normal/default/out log_normal_
lstm/data/input miopen_rnn/default/out multinomial/default/out native_dropout/default/out
normal/Tensor_Tensor/Tensor_Tensor_out/Tensor_float/Tensor_float_out/float_Tensor/float_Tensor_out/float_float/float_float_out/out
normal_ normal_functional poisson/default/out rand/default/generator/generator_out/out
rand_like/default/generator/generator_out/out
randint/default/generator/generator_out/low/low_generator/low_generator_out/low_out/out
randint_like/Tensor/Tensor_generator/Tensor_generator_out/Tensor_out/default/generator/generator_out/low_dtype/low_dtype_out/low_generator_dtype/low_generator_dtype_out/out
randn/default/generator/generator_out/out randn_like/default/generator/generator_out/out
random/default/from/from_out/out/to/to_out random_/default/from/to randperm/default/generator/generator_out/out
rnn_relu/data/input rnn_tanh/data/input rrelu rrelu_ rrelu_with_noise/default/out rrelu_with_noise_
rrelu_with_noise_functional scaled_dot_product_attention uniform/default/out uniform_ prims.normal prims.uniform
""",
    "pointwise": """
__ilshift__/Scalar/Tensor __ixor__/Scalar/Tensor __lshift__/Scalar/Tensor __rshift__/Scalar/Tensor
__xor__/Scalar/Tensor _conj_physical abs/default/out acos/default/out acos_ acosh/default/out acosh_
add/Scalar/Tensor/out add_/Scalar/Tensor addcdiv/default/out addcdiv_ addcmul/default/out addcmul_ angle/default/out
asin/default/out asin_ asinh/default/out asinh_ atan/default/out atan2/default/out atan2_ atan_ atanh/default/out
atanh_ bitwise_and/Scalar/Scalar_Tensor/Scalar_out/Tensor/Tensor_out bitwise_and_/Scalar/Tensor
bitwise_left_shift/Scalar_Tensor/Tensor/Tensor_Scalar/Tensor_Scalar_out/Tensor_out
bitwise_left_shift_/Tensor/Tensor_Scalar bitwise_not/default/out bitwise_not_
bitwise_or/Scalar/Scalar_Tensor/Scalar_out/Tensor/Tensor_out bitwise_or_/Scalar/Tensor
bitwise_right_shift/Scalar_Tensor/Tensor/Tensor_Scalar/Tensor_Scalar_out/Tensor_out
bitwise_right_shift_/Tensor/Tensor_Scalar bitwise_xor/Scalar/Scalar_Tensor/Scalar_out/Tensor/Tensor_out
bitwise_xor_/Scalar/Tensor ceil/default/out ceil_ celu celu_ clamp/Tensor/Tensor_out/default/out clamp_/Tensor/default
clamp_max/Tensor/Tensor_out/default/out clamp_max_/Tensor/default clamp_min/Tensor/Tensor_out/default/out
clamp_min_/Tensor/default clip/Tensor/default/out clip_/Tensor/default clone conj_physical/default/out conj_physical_
copysign/Scalar/Scalar_out/Tensor/out cos/default/out cos_ cosh/default/out cosh_ deg2rad/default/out deg2rad_
digamma/default/out digamma_ div/Scalar/Scalar_mode/Tensor/Tensor_mode/out/out_mode
div_/Scalar/Scalar_mode/Tensor/Tensor_mode elu elu_ eq/Scalar/Scalar_out/Tensor/Tensor_out equal erf/default/out erf_
erfc/default/out erfc_ erfinv/default/out erfinv_ exp/default/out exp2/default/out exp2_ exp_ expm1/default/out expm1_
float_power/Scalar/Scalar_out/Tensor_Scalar/Tensor_Scalar_out/Tensor_Tensor/Tensor_Tensor_out
float_power_/Scalar/Tensor floor/default/out floor_ fmax/default/out fmin/default/out
fmod/Scalar/Scalar_out/Tensor/Tensor_out fmod_/Scalar/Tensor frac/default/out frac_ frexp/Tensor/Tensor_out
gcd/default/out ge/Scalar/Scalar_out/Tensor/Tensor_out gelu gelu_backward gt/Scalar/Scalar_out/Tensor/Tensor_out
hardshrink hardsigmoid hardsigmoid_ hardtanh hardtanh_ heaviside/default/out hypot/default/out hypot_ i0/default/out
i0_ igamma/default/out igamma_ igammac/default/out igammac_ isfinite isinf isnan isneginf/default/out
isposinf/default/out lcm/default/out ldexp/Tensor/out ldexp_ le/Scalar/Scalar_out/Tensor/Tensor_out leaky_relu
leaky_relu_ lerp/Scalar/Scalar_out/Tensor/Tensor_out lerp_/Scalar/Tensor lgamma/default/out lgamma_ log/default/out
log10/default/out log10_ log1p/default/out log1p_ log2/default/out log2_ log_ logaddexp/default/out
logaddexp2/default/out logical_and/default/out logical_and_ logical_not/default/out logical_not_
logical_or/default/out logical_or_ logical_xor/default/out logical_xor_ logit/default/out logit_
logit_backward/default/grad_input lt/Scalar/Scalar_out/Tensor/Tensor_out masked_fill/Scalar max/other/out
maximum/default/out min/other/out minimum/default/out mish mul/Scalar/Tensor/out mul_/Scalar/Tensor
mvlgamma/default/out mvlgamma_ nan_to_num/default/out nan_to_num_ native_dropout_backward
ne/Scalar/Scalar_out/Tensor/Tensor_out neg/default/out neg_ nextafter/default/out nextafter_ polygamma/default/out
polygamma_ positive pow/Scalar/Scalar_out/Tensor_Scalar/Tensor_Scalar_out/Tensor_Tensor/Tensor_Tensor_out
pow_/Scalar/Tensor rad2deg/default/out rad2deg_ reciprocal/default/out reciprocal_ relu relu6 relu_
remainder/Scalar/Scalar_Tensor/Scalar_out/Tensor/Tensor_out remainder_/Scalar/Tensor
round/decimals/decimals_out/default/out round_/decimals/default rrelu rsqrt/default/out rsqrt_ rsub/Scalar selu selu_
sgn/default/out sgn_ sigmoid/default/out sigmoid_ sigmoid_backward/default/grad_input sign/default/out sign_
signbit/default/out silu/default/out silu_ silu_backward/default/grad_input sin/default/out sin_ sinc/default/out
sinc_ sinh/default/out sinh_ softplus softshrink special_airy_ai/default/out special_bessel_j0/default/out
special_bessel_j1/default/out special_bessel_y0/default/out special_bessel_y1/default/out
special_chebyshev_polynomial_t/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_chebyshev_polynomial_u/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_chebyshev_polynomial_v/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_chebyshev_polynomial_w/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out special_entr/default/out
special_erfcx/default/out special_hermite_polynomial_h/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_hermite_polynomial_he/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out special_i0e/default/out
special_i1/default/out special_i1e/default/out
special_laguerre_polynomial_l/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_legendre_polynomial_p/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out special_log_ndtr/default/out
special_modified_bessel_i0/default/out special_modified_bessel_i1/default/out special_modified_bessel_k0/default/out
special_modified_bessel_k1/default/out special_ndtri/default/out special_scaled_modified_bessel_k0/default/out
special_scaled_modified_bessel_k1/default/out
special_shifted_chebyshev_polynomial_t/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_shifted_chebyshev_polynomial_u/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_shifted_chebyshev_polynomial_v/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_shifted_chebyshev_polynomial_w/default/n_scalar/n_scalar_out/out/x_scalar/x_scalar_out
special_spherical_bessel_j0/default/out
special_xlog1py/default/other_scalar/other_scalar_out/out/self_scalar/self_scalar_out
special_zeta/default/other_scalar/other_scalar_out/out/self_scalar/self_scalar_out sqrt/default/out sqrt_
square/default/out square_ sub/Scalar/Tensor/out sub_/Scalar/Tensor tan/default/out tan_ tanh/default/out tanh_
tanh_backward/default/grad_input threshold threshold_backward true_divide/Tensor trunc/default/out trunc_ where/self
xlogy/OutScalar_Other/OutScalar_Self/OutTensor/Scalar_Other/Scalar_Self/Tensor xlogy_/Tensor prims.abs
prims.bitwise_not prims.conj_physical prims.convert_element_type prims.digamma prims.exp2 prims.fmax prims.fmin
prims.hypot prims.igamma prims.igammac prims.log2 prims.maximum prims.minimum prims.nextafter prims.reciprocal
prims.rsqrt prims.sign prims.signbit prims.trunc
""",
    "reduction": """
all/all_out/default/dim/dims/dims_out/out amax/default/out amin/default/out aminmax/default/out
any/all_out/default/dim/dims/dims_out/out argmax/default/out argmin/default/out count_nonzero/default/dim_IntList
linalg__powsum linalg_vector_norm/default/out logsumexp/default/out max/default/dim/dim_max/unary_out
mean/default/dim/dtype_out/out min/default/dim/dim_min/unary_out nansum/default/out
norm/Scalar/ScalarOpt_dim/ScalarOpt_dim_dtype/ScalarOpt_dtype/dtype_out/out prod/default/dim_int/int_out
std/correction/correction_out/default/dim/out std_mean/correction/default/dim sum/IntList_out/default/dim_IntList
var/correction/correction_out/default/dim/out var_mean/correction/default/dim prims.amax prims.amin prims.var
""",
    "view_copy": """
_conj_copy/default/out _fw_primal_copy/default/out _indices_copy/default/out _make_dual_copy/default/out
_neg_view_copy/default/out _nested_get_values_copy/default/out _nested_view_from_buffer_copy/default/out
_nested_view_from_jagged_copy/default/out _reshape_alias_copy/default/out _sparse_broadcast_to_copy/default/out
_test_autograd_multiple_dispatch_view_copy/default/out _values_copy/default/out alias_copy/default/out
as_strided_copy/default/out ccol_indices_copy/default/out col_indices_copy/default/out crow_indices_copy/default/out
detach_copy/default/out diagonal_copy/default/out expand_copy/default/out indices_copy/default/out
lift_fresh_copy/default/out narrow_copy permute_copy/default/out row_indices_copy/default/out select_copy/int/int_out
slice_copy/Tensor/Tensor_out slice_scatter/default/out split_copy/Tensor split_with_sizes_copy
squeeze_copy/default/dim/dim_out/dims/dims_out/out t_copy/default/out transpose_copy/int/int_out unbind_copy/int
unfold_copy/default/out unsqueeze_copy/default/out values_copy/default/out view_as_complex_copy/default/out
view_as_real_copy/default/out view_copy/default/dtype/dtype_out/out
""",
}
