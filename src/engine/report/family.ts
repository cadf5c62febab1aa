import type { Node } from '../../fx'
import type { OpFamily } from '../protocol'

/**
 * Operator name (`aten.<name>` or `prims.<name>`, overload dropped) → what kind of work it is. Only the exceptions are
 * listed: an aten operator found in no list is elementwise, which most of them are.
 */
const NAMES: Partial<Record<OpFamily, string>> = {
  matmul:
    'mm bmm addmm baddbmm matmul linear dot mv addmv convolution _convolution conv1d conv2d conv3d _scaled_mm _int_mm _grouped_mm _scaled_grouped_mm',
  attention:
    'scaled_dot_product_attention _scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention _scaled_dot_product_fused_attention_overrideable _flash_attention_forward _efficient_attention_forward',
  reduction:
    'mean sum amax amin max min argmax argmin var var_mean std std_mean prod any all norm linalg_vector_norm softmax _softmax log_softmax _log_softmax logsumexp native_layer_norm native_group_norm layer_norm rms_norm _fused_rms_norm cumsum cumprod topk sort native_batch_norm _native_batch_norm_legit_no_training max_pool2d_with_indices avg_pool2d _adaptive_avg_pool2d adaptive_avg_pool2d',
  view: 'view _unsafe_view reshape permute transpose t slice select expand squeeze unsqueeze split split_with_sizes chunk flatten unflatten as_strided alias detach narrow unbind diagonal movedim numpy_T mT view_as_real view_as_complex unfold broadcast_in_dim repeat cat stack slice_scatter select_scatter index_select gather embedding index roll flip constant_pad_nd',
  factory:
    'empty empty_like empty_strided empty_permuted new_empty new_empty_strided zeros zeros_like new_zeros ones ones_like new_ones full full_like new_full arange iota rand randn rand_like randn_like randint scalar_tensor eye linspace tril_indices triu_indices lift_fresh_copy _tensor_constant',
  cast: 'convert_element_type _to_copy to type_as view_dtype bitcast_convert_type',
}

const BY_NAME = new Map<string, OpFamily>()
for (const [family, names] of Object.entries(NAMES))
  for (const n of names.split(' ')) BY_NAME.set(n, family as OpFamily)

const COLLECTIVE = /(^|[._])(all_reduce|all_gather|reduce_scatter|all_to_all|broadcast|wait_tensor)/

/** The colour class of a node. */
export function familyOf(node: Node): OpFamily {
  switch (node.op) {
    case 'placeholder':
    case 'get_attr':
      return 'input'
    case 'output':
      return 'output'
    case 'call_module':
      return 'custom'
    case 'call_method':
      return BY_NAME.get(node.target) ?? 'elementwise'
    default:
      return familyOfTarget(node.target)
  }
}

function familyOfTarget(target: string): OpFamily {
  if (target === 'operator.getitem' || target === '_operator.getitem') return 'getitem'
  if (/^(_operator|operator|math|torch\.sym_)/.test(target)) return 'elementwise'
  const [ns = '', name = ''] = target.split('.')
  if (ns === 'higher_order') return name.startsWith('auto_functionalized') ? 'functionalized' : 'higher_order'
  if (COLLECTIVE.test(target)) return 'collective'
  if (ns === 'aten' || ns === 'prims') return BY_NAME.get(name) ?? BY_NAME.get(name.replace(/_$/, '')) ?? 'elementwise'
  if (target.startsWith('torch.')) return BY_NAME.get(target.split('.').at(-1) ?? '') ?? 'elementwise'
  return target.split('.').length >= 2 ? 'custom' : 'other'
}
