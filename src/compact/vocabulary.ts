/**
 * Strings of graphs, and keys of snapshots joined by commas, that a link names by their index: frequent ones first, since small indices take fewer bits. Part of
 * the format: a link that was made with this list needs it for ever. Append only, or write a new version.
 */
export const VOCABULARY: readonly string[] = `
cpu float32 aten.mul.Tensor arg#_# aten.add.Tensor operator.getitem aten.sub.Tensor aten.relu.default
v,workspace,view,summary name,text timeLimitS before matches selection,mode,panel,openFile
nodesBefore,nodesAfter,passes,matches,notes name,count,entries,fired entry,title,count,letter,colour
pass,index,entry,node,nodes graph.txt name,graph,files,options pattern.py name,graph,shapes,files,options
platform,dtype,tokens,customOps,functionalization,flags kind,pass,index match name,graph,files,options,environment
name,graph,files,passes,options name,graph,shapes,files,passes,options name,graph,graphs,files,options
name,graph,graphs,files,passes,options name,graph,files,passes,options,environment
name,graph,shapes,files,passes,options,environment name,graph,shapes,files,options,environment
name,graph,graphs,files,options,environment name,graph,graphs,files,passes,options,environment fx_graph_readable.py
selection,mode,panel,openFile,topLine selection,mode,panel,openFile,pin selection,mode,panel,openFile,stage
selection,mode,panel,openFile,topLine,pin selection,mode,panel,openFile,topLine,stage kind,pass,index,place nearMiss
kind,side,name node kind,pass,entry,index patternNode entry kind,file,line line kind,pass,entry,node,index step
pass,entry,title,bindings,node whynot patterns after split steps pipeline run inspector console cuda-sm80 cuda-sm89
cuda-sm90 cuda-sm100 rocm rocm-aiter ascend-a5 ascend-910b ascend-310p v1 v2 all none A B C D E F
nodesBefore,nodesAfter,passes,notes name,text,shapes name,text,inputShapes pin_memory bfloat16 aten.exp.default
aten.div.Tensor aten.permute.default prims.convert_element_type.default aten.sum.dim_IntList x_# bool aten.sin.default
layout strided aten.cat.default int64 aten.mm.default aten.neg.default aten.unsqueeze.default 0.5 aten.where.self a_#
aten.full.default aten.expand.default 1e-06 aten.empty.memory_format aten.mean.dim aten.slice.Tensor float8_e4m3fn
aten.amax.default input aten.rsqrt.default aten.pow.Tensor_Scalar y_# aten.reshape.default float16 1.0
aten.view.default 0.0 higher_order.auto_functionalized view_# aten.tanh.default aten.addmm.default 2.0
aten.clone.default scale aten.abs.default result aten.cos.default prims.iota.default start requires_grad memory_format
contiguous_format b_# aten.sum.default aten.split_with_sizes.default aten.sigmoid.default aten.gt.Scalar
aten.embedding.default 9223372036854775807 view aten.bmm.default x#_# aten.split.Tensor weight 0.125 aten.ne.Scalar
aten.index.Tensor 3.0 1e-05 aten.eq.Tensor epsilon -inf aten.clamp_min.default output_s alpha aten.cumsum.default
aten.bitwise_and.Tensor _tensor_constant# aten.le.Tensor 448.0 1.5 eps -448.0 w_# _C.silu_and_mul.default
aten._scaled_dot_product_flash_attention_for_cpu.default aten.clamp_max.default _C.static_scaled_fp8_quant.default
higher_order.auto_functionalized_v2 auto_functionalized_v# _all_bases output_q float64
_C.per_token_group_fp8_quant.default group_size 1e-10 fp8_min fp8_max scale_ue8m0 attn_mask aten.minimum.default int32
_C.rms_norm.default auto_functionalized_v#_# aten.maximum.default dummy_is_scale_transposed dummy_is_tma_aligned c_#
-3.3895313892515355e+38 aten.select.int keepdim aten.ge.Scalar aten.add.Scalar aten.eq.Scalar
aten.scalar_tensor.default 4.0 correction operator.add inf aten.var_mean.correction 0.044715 0.25 aten.mul.Scalar
aten.log.default int8 operator.mul 0.7978845608028654 aten.index_put.default 0.7071067811865476 aten.erf.default nan
aten.copy_.default _C.fp8_block_mm.default aten.lift_fresh_copy.default aten.convolution.default aten.lt.Scalar
sgl_kernel.fp8_scaled_mm.default q k residual aten.isnan.default v output uint8 sgl_kernel.silu_and_mul.default
aten.squeeze.dim sum _C.unified_attention_with_output.default _out_base_index _output_q_base_index aten.mean.default
1e-12 dim -3.4028234663852886e+38 aten.topk.default _C.fused_add_rms_norm.default aten.le.Scalar
sgl_kernel.sgl_per_tensor_quant_fp8.default is_static complex64 aten.reciprocal.default aten.div.Tensor_mode
rounding_mode aten.logical_not.default -1.0 6.0 aten.gather.default floor aten.constant_pad_nd.default aten.max.dim
aten.sort.default z_# beta v_# operator.le aten._unsafe_index.Tensor s 1e-30 0.1 aten.log1p.default q_# k_#
aten.as_strided.default prims._low_memory_max_pool_with_offsets.default npu.npu_add_rms_norm.default
npu.npu_dynamic_mx_quant.default dst_type _input_base_index _residual_base_index aten.any.dim aten.sub.Scalar
_result_base_index query key s_# operator.sub aten.gt.Tensor aten.view.dtype aten.sym_size.int
aten.logical_and.default _c10d_functional.all_reduce.default _c10d_functional.wait_tensor.default
torch.nn.functional.softmax contiguous aten._fft_r2c.default aten._local_scalar_dense.default aten.sqrt.default
npu.npu_quant_matmul.default sgl_kernel.fused_add_rmsnorm.default enable_pdl _C.fp8_mm.default torch.arange to
torch._C._nn.linear operator.neg torch.nn.functional.dropout 30.0 prims.inductor_seeds.default
prims.inductor_lookup_seed.default prims.inductor_random.default rand aten.bucketize.Tensor x u0 sym_size_int
operator.ge aten._assert_scalar.default true_graph_# false_graph_# higher_order.cond aten.histc.default 0.001
aten.any.dims aten.empty_strided.default aten.repeat.default aten.pow.Tensor_Tensor bias_# o_#
torch.nn.functional.embedding inputs_embeds position_ids unsqueeze position_ids_# torch.diff prepend operator.ne
cumsum q_indices new_ones operator.and_ result_# operator.eq expand attention_mask torch.tensor torch.where mask float
inv_freq_expanded position_ids_expanded operator.matmul transpose freqs torch.cat emb cos_# sin_#
torch._C._log_api_usage_once _log_api_usage_once python.nn_module hidden_states pow mean variance torch.rsqrt
hidden_states_# query_states key_states value_states x# q_embed k_embed reshape key_states_# value_states_#
torch.matmul attn_weights attn_weights_# p training attn_output attn_output_# variance_# torch.nn.functional.silu
down_proj query_states_# q_embed_# k_embed_# down_proj_# logits torch.Tensor int str *args _args **kw _kw 0.0625 50.0
randn 0.4 _x_base_index aten.nonzero.default u1 higher_order.invoke_subgraph subgraph_0 aten._grouped_mm.default
2.772588722239781 head_size is_neox aten.bitwise_or.Tensor value aten.index_put_.default s0 s1 s72 s27 s77 cuda npu
meta f32 float8_e4m3fnuz float8_e5m2 uint32 complex128 int16 float4_e2m1fn_x2 float8_e8m0fnu torch.nn.functional.
submod_# _param_constant# getitem_# aten.floor.default _C.silu_and_mul_per_block_quant.default aten.clamp_min.Tensor
aten.var.correction aten.unbind.int aten.round.default aten.view_as_real.default aten._to_copy.default
aten.argmax.default aten.add_.Scalar aten.exp2.default aten.add_.Tensor aten.remainder.Scalar prims.rev.default
aten.squeeze.dims aten.amin.default aten.expm1.default aten.rand.default aten.tan.default aten.addcmul.default
aten.atan2.default aten._conj.default aten.clamp.default aten.sign.default aten.fmod.Scalar aten.rsub.Scalar
aten.any.default aten.squeeze_.dim aten.trunc.default aten.log2.default _C.rms_norm_static_fp8_quant.default
aten.bitwise_not.default aten.t.default aten.max.default aten.div.Scalar aten.contiguous.default aten.ceil_.default
aten._assert_async.msg aten.unfold.default aten.lerp_.Tensor aten.sinh.default aten.diagonal.default
aten.arange.default prims.sqrt.default aten.fill_.Scalar aten.avg_pool2d.default aten.ceil.default
aten.slice_scatter.default aten.transpose_.default aten._softmax.default aten.lt.Tensor aten.sub_.Tensor
aten.__rshift__.Scalar aten.where.ScalarSelf aten.bitwise_and.Scalar aten.select_scatter.default
aten.nextafter.default aten.ge.Tensor aten.hypot.default aten.transpose.int aten.min.dim aten.full_like.default
aten.where.ScalarOther aten._cdist_forward.default aten.relu_.default aten.mul_.Tensor
aten._adaptive_avg_pool2d.default aten.clamp_.default aten.erfc.default aten.isinf.default aten.flatten.using_ints
aten.bernoulli_.float aten.fmod.Tensor _C.rotary.default aten._fft_c2r.default aten.alias.default aten.randn.default
aten.bitwise_or.Scalar aten.addmm.dtype aten.linear.default aten.logical_or.default aten.gelu.default
aten.__lshift__.Scalar aten.silu.default _C.fused_add_rms_norm_static_fp8_quant.default
_C.dynamic_per_token_scaled_fp8_quant.default aten.pow.Scalar aten.div_.Scalar aten.clamp_min_.Tensor
aten.erfinv.default aten.signbit.default aten.prod.dim_int aten.baddbmm.default aten.glu.default
aten._scaled_dot_product_attention_math.default aten._trilinear.default aten.softmax.int aten.unsqueeze_.default
aten.randint.low aten.sort.stable aten.gcd.default aten.atan.default aten.digamma.default prims.bitwise_and.default
prims.bitwise_or.default aten.cumprod.default aten.zeros_like.default aten.where.Scalar aten.median.dim
aten.logical_not_.default aten.empty_like.default aten.rrelu_with_noise.default aten.lgamma.default prims.div.default
aten.cosh.default aten.bitwise_xor.Tensor aten._int_mm.default aten.zeros.default aten._fft_c2c.default
aten.squeeze.default prims._low_memory_max_pool_offsets_to_indices.default aten.ones.default aten.min.default
aten.to.dtype aten._log_softmax.default aten.mul_.Scalar prims.copy_strided.default aten.searchsorted.Tensor
aten.fake_quantize_per_tensor_affine_cachemask.default aten.ldexp.Tensor aten.acos.default aten.addcdiv.default
aten.igamma.default aten.cummax.default aten.masked_scatter.default aten.complex.default
aten._scaled_dot_product_efficient_attention.default aten._weight_int4pack_mm.default
_C.rms_norm_dynamic_per_token_quant.default aten.avg_pool3d.default aten._foreach_mul.Scalar aten.new_zeros.default
aten.stack.default aten._weight_norm_interface.default aten.ne.Tensor
aten._native_batch_norm_legit_no_training.default aten.bernoulli.p aten.hardtanh.default aten.rsub.Tensor
aten.t_.default aten.detach.default aten.diagonal_scatter.default aten.new_ones.default aten._foreach_add.List
aten.sym_numel.default aten.masked_fill.Scalar aten.native_layer_norm.default aten.rand_like.default aten.asin.default
aten.remainder.Tensor aten.prod.default npu.npu_add_rms_norm_dynamic_mx_quant.default aten.scatter_.value
aten.eye.default aten.as_strided_scatter.default aten.embedding_renorm.default aten.resize_.default _C.rms_norm.offset
_C.silu_and_mul_quant.default aten._scaled_mm.default aten._assert_tensor_metadata.default
_c10d_functional.all_reduce_.default aten.scatter_reduce.two aten.roll.default aten.flip.default aten.matmul.default
aten.max_pool2d_with_indices.default aten.dot.default aten.mv.default aten.std.correction aten.arange.start
aten.ones_like.default aten.clamp_min_.default aten.atleast_2d.default aten.copy.default aten.copysign.Tensor
aten.div_.Tensor aten.bincount.default prims.inductor_seed.default aten.view_as_complex.default aten.to.dtype_layout
aten.repeat_interleave.self_int aten.movedim.int aten.index_select.default aten.diag_embed.default
aten.arange.start_step aten.adaptive_max_pool2d.default aten.as_strided_.default aten._adaptive_avg_pool3d.default
aten._upsample_bilinear2d_aa.default aten.all.default aten.masked_fill_.Scalar aten.floor_.default aten.round_.default
aten.log_softmax.int aten.floor_divide.default aten.new_empty.default aten.median.default
aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default
aten.fake_quantize_per_channel_affine_cachemask.default aten._neg_view.default aten._conj_physical.default
aten.real.default aten.clamp.Tensor aten.frexp.Tensor prims.sin.default aten.neg_.default aten.masked_select.default
aten.div.Scalar_mode aten.isfinite.default aten._unsafe_view.default aten.sigmoid_.default aten.argmin.default
aten.mul.left_t aten.mul.right_ aten.mul.int aten.mul.complex aten.mul.float aten.mul.int_complex aten.mul.complex_int
aten.mul.float_complex aten.mul.complex_float aten.mul.int_float aten.mul.float_int aten.mul.default
aten.native_dropout.default aten._fused_rms_norm.default aten.sum.int aten.sum.float aten.sum.complex aten.sum.bool
_c10d_functional.reduce_scatter_tensor.default _c10d_functional.all_gather_into_tensor.default
aten.logcumsumexp.default aten.kthvalue.default aten.scatter.src aten.scatter.value aten.addbmm.default
aten.polar.default aten._foreach_add.Scalar aten.index_reduce.default aten.narrow.default aten.stft.default
aten.conj_physical.default aten.conj.default aten.squeeze_.default aten.squeeze_.dims aten.unsafe_split.Tensor
aten.tensor_split.sections aten.tensor_split.indices aten.hsplit.int aten.hsplit.array aten.vsplit.int
aten.vsplit.array aten.dsplit.int aten.dsplit.array aten.split.sizes aten.moveaxis.int aten.movedim.intlist
aten.moveaxis.intlist aten.unflatten.int aten.mH.default aten.conv1d.default aten.conv2d.default aten.conv3d.default
aten.adaptive_avg_pool2d.default aten.upsample_nearest1d.default aten.upsample_nearest2d.default
aten.upsample_nearest3d.default aten._upsample_nearest_exact1d.default aten._upsample_nearest_exact2d.default
aten._upsample_nearest_exact3d.default aten.upsample_linear1d.default aten.upsample_bilinear2d.default
aten.upsample_trilinear3d.default aten.upsample_bicubic2d.default aten._upsample_bicubic2d_aa.default
aten.vdot.default aten.norm.ScalarOpt_dim aten.norm.Scalar aten.norm_except_dim.default aten.tril.default
aten._safe_softmax.default aten.dropout.default aten.all.dim aten.quantile.scalar aten.quantile.default
aten.nanquantile.scalar aten.nanquantile.default aten.var.dim aten.var.default aten.std.dim aten.std.default
aten.var_mean.dim aten.var_mean.default aten.std_mean.dim aten.std_mean.default aten.std_mean.correction
aten.logical_xor.default aten.trapezoid.dx aten.trapz.dx aten.cumulative_trapezoid.dx aten.nansum.default
aten._native_batch_norm_legit.no_stats aten._native_batch_norm_legit.default aten.batch_norm.default
aten.native_group_norm.default aten.linspace.default aten.randint.default aten.bernoulli.default
aten.normal.Tensor_Tensor aten.normal.Tensor_float aten.normal.float_Tensor aten.fill.Scalar aten.meshgrid.default
aten.new_full.default aten.atleast_3d.default aten.index_copy_.default aten.index_copy.default
aten.index_fill.int_Scalar aten.isin.Tensor_Tensor aten.argsort.default aten.argsort.stable aten.log_sigmoid.default
aten.xlogy.Tensor aten.pairwise_distance.default aten.sqrt_.default aten.atleast_1d.default
aten.multilabel_margin_loss_forward.default aten.fake_quantize_per_tensor_affine.default
aten.fake_quantize_per_tensor_affine.tensor_qparams aten.imag.default aten.max.other aten.min.other aten.elu.default
aten.fill_.Tensor aten.fill.Tensor aten.pow_.Scalar aten.clip_.default aten.clip_.Tensor aten.clamp_.Tensor
aten.abs_.default aten.trunc_.default prims.device_put.default aten.to.device aten.to.other aten.lerp.Scalar
aten.lerp.Tensor aten.bitwise_and_.Tensor aten.bitwise_or_.Tensor aten.round.decimals aten.masked_fill.Tensor
_C.scaled_fp4_quant.default aten.empty.default aten.bitwise_right_shift.Tensor_Scalar aten.clamp_max.Tensor
aten.exp_.default aten.tanh_.default aten.addcmul_.default aten.log_.default aten.where.default aten.tanh.int
aten.tanh.float aten.tanh.complex aten.tanh.Scalar aten.sub.int aten.sub.complex aten.sub.float aten.sub.int_complex
aten.sub.complex_int aten.sub.float_complex aten.sub.complex_float aten.sub.int_float aten.sub.float_int
aten.sub.default aten.scatter_.src aten.scatter_add_.default aten.multinomial.default aten.log10.default
aten.asinh.default aten.add.Nope aten.mode.default aten.triangular_solve.default aten.cholesky_solve.default
aten.cholesky_inverse.default aten._ctc_loss.Tensor aten.fft_fftfreq.default aten.fft_rfftfreq.default
aten._foreach_mul.List aten._foreach_sqrt.default aten._foreach_mul_.Scalar aten._foreach_addcdiv.Scalar
aten._foreach_norm.Scalar aten._foreach_pow.Scalar aten._foreach_div.List aten._foreach_maximum.Scalar
aten._foreach_neg.default aten._foreach_copy_.default aten.scatter.reduce aten.polygamma.default
aten.bitwise_left_shift.Tensor aten.randperm.default aten.allclose.default aten.equal.default aten.poisson.default
aten.kaiser_window.default aten.blackman_window.default aten.bartlett_window.default
`
  .trim()
  .split(/\s+/)
