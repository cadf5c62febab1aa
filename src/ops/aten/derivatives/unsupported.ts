/**
 * Operators whose own formula in derivatives.yaml is missing here. Their decompositions would record other gradients than PyTorch
 * does, so a joint trace refuses them.
 */
import type { Derivatives } from '../../derivative'

const NAMES =
  'aten.grid_sampler_2d aten.index_reduce aten.index_fill.int_Tensor aten.mvlgamma aten._fused_rms_norm aten.norm ' +
  'aten.normal.Tensor_float aten.normal.float_Tensor aten.normal.Tensor_Tensor aten.renorm aten.special_log_ndtr aten.sgn ' +
  'aten.unsafe_split.Tensor aten._weight_norm_interface aten.multi_margin_loss aten.multilabel_margin_loss_forward ' +
  'aten.nll_loss2d_forward aten.upsample_bicubic2d aten.bernoulli'

export const DERIVATIVES: Derivatives = { [NAMES]: 'unsupported' }
