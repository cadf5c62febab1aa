/**
 * Overload lists that differ in PyTorch 2.6: overloads by dimension names have been removed since, and `dtype` and `generator`
 * overloads are newer. From `torch.ops.aten.cat.overloads()` of 2.6.0.
 */
const LISTS = `
aten._conj_copy out default
aten._flash_attention_forward default
aten._fused_adagrad default out
aten._fused_adagrad_ default
aten._fused_dropout default out
aten._fw_primal_copy out default
aten._indices_copy out default
aten._make_dual_copy out default
aten._neg_view_copy out default
aten._nested_get_values_copy out default
aten._nested_view_from_buffer_copy out default
aten._nested_view_from_jagged_copy out default
aten._reshape_alias_copy out default
aten._scaled_dot_product_flash_attention default
aten._scaled_mm out default
aten._sparse_broadcast_to_copy out default
aten._sparse_log_softmax Dimname int out default
aten._sparse_softmax Dimname int out default
aten._test_autograd_multiple_dispatch_view_copy out default
aten._trilinear out default
aten._values_copy out default
aten.addmm default out
aten.all default dim dims out dims_out all_out dimname dimname_out int float bool
aten.any default dim dims out dims_out all_out dimname dimname_out str int float bool
aten.argsort default stable stable_out dimname
aten.baddbmm default out
aten.bmm default out
aten.cat default names names_out out
aten.ccol_indices_copy out default
aten.col_indices_copy out default
aten.concat default out names names_out
aten.concatenate default out names names_out
aten.copy out default t Dict_str Dict_int Dict_bool Dict_float Dict_complex Dict_Tensor
aten.count_nonzero dim_IntList dim_IntList_out default out
aten.crow_indices_copy out default
aten.cummax default dimname dimname_out out
aten.cummin default dimname dimname_out out
aten.cumprod default dimname dimname_out out
aten.cumprod_ default dimname
aten.cumsum default dimname dimname_out out
aten.cumsum_ default dimname
aten.detach_copy out default
aten.diagonal default Dimname
aten.empty memory_format out names names_out
aten.fbgemm_linear_fp16_weight default
aten.fbgemm_linear_fp16_weight_fp32_activation default
aten.fill Scalar Scalar_out Tensor Tensor_out
aten.flatten using_ints DimnameList named_out_dim using_names
aten.floor_divide_ Scalar Tensor
aten.full names default names_out out
aten.gather default out dimname dimname_out
aten.index_add default out dimname
aten.index_copy default dimname out
aten.index_copy_ default dimname
aten.index_fill int_Tensor int_Scalar Dimname_Scalar Dimname_Tensor int_Scalar_out int_Tensor_out
aten.index_fill_ int_Tensor int_Scalar Dimname_Scalar Dimname_Tensor
aten.index_select default out dimname dimname_out
aten.indices_copy out default
aten.kthvalue default dimname dimname_out values
aten.log_softmax int Dimname int_out
aten.logcumsumexp default dimname dimname_out out
aten.logsumexp default names names_out out
aten.max other default dim dim_max names_dim names_dim_max unary_out out
aten.mean default dim names_dim names_out out dtype_out
aten.median default dim dim_values names_dim names_dim_values out
aten.min other default dim dim_min names_dim names_dim_min unary_out out
aten.mm default out
aten.mode default dimname dimname_out values
aten.nanmedian default dim dim_values names_dim names_dim_values out
aten.norm Scalar ScalarOpt_dim names_ScalarOpt_dim ScalarOpt_dim_dtype dtype_out out ScalarOpt_dtype ScalarOpt_dtype_out Scalar_out names_ScalarOpt_dim_dtype names_dtype_out names_out
aten.ones names default names_out out
aten.permute_copy out default
aten.pow Tensor_Tensor Tensor_Scalar Scalar Scalar_out Tensor_Scalar_out Tensor_Tensor_out int complex float int_float float_int float_complex complex_float Scalar_Scalar int_to_int
aten.prod default dim_int dim_Dimname Dimname_out int_out out
aten.rand default generator names generator_with_names out generator_out names_out generator_with_names_out
aten.rand_like default out
aten.randint_like default low_dtype out low_dtype_out
aten.randn default generator names generator_with_names out generator_out names_out generator_with_names_out
aten.randn_like default out
aten.row_indices_copy out default
aten.scatter value src reduce value_reduce src_out value_out reduce_out value_reduce_out dimname_src dimname_value
aten.scatter_add default out dimname
aten.searchsorted Tensor Tensor_out Scalar Scalar_out
aten.select Dimname int t
aten.select_copy int_out int
aten.size int Dimname default
aten.slice_copy Tensor_out Tensor
aten.softmax int Dimname int_out
aten.sort default stable values_stable values dimname dimname_values dimname_stable dimname_values_stable int float Tensor bool str any
aten.split_copy Tensor_out Tensor
aten.squeeze default dim dims dimname
aten.squeeze_ default dim dims dimname
aten.squeeze_copy out dim_out dims_out default dim dims
aten.std default dim correction names_dim names_out out correction_out correction_names correction_names_out
aten.std_mean default dim correction names_dim correction_names correction_out
aten.stride int Dimname default
aten.sum dim_IntList default dim_DimnameList DimnameList_out IntList_out out int float complex bool
aten.t_copy out default
aten.transpose int Dimname
aten.transpose_copy int_out int
aten.unbind int Dimname
aten.unbind_copy int_out int
aten.unflatten int Dimname
aten.unsqueeze_copy out default
aten.values_copy out default
aten.var default dim correction names_dim names_out out correction_out correction_names correction_names_out
aten.var_mean default dim correction names_dim correction_names correction_out
aten.view_as_complex_copy out default
aten.view_as_real_copy out default
aten.view_copy default out dtype_out dtype
aten.zeros names default names_out out
`

export const OVERLOADS_2_6: ReadonlyMap<string, readonly string[]> = new Map(
  LISTS.trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([packet, ...overloads]) => [packet!, overloads.map((o) => `${packet}.${o}`)]),
)
