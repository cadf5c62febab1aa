/**
 * Operators whose own formula in derivatives.yaml is missing here. Their decompositions would record other gradients than PyTorch
 * does, so a joint trace refuses them.
 */
import type { Derivatives } from '../../derivative'

const NAMES =
  'aten.angle aten.block_diag aten.dist aten.vdot aten.grid_sampler_2d aten.index_reduce ' +
  'aten.index_fill.int_Tensor aten.xlogy aten.special_xlog1py aten.fmax ' +
  'aten.fmin aten.aminmax aten.mvlgamma ' +
  'aten._fused_rms_norm aten.norm aten.normal.Tensor_float ' +
  'aten.normal.float_Tensor aten.normal.Tensor_Tensor aten.put aten.rad2deg aten.deg2rad aten.renorm ' +
  'aten.special_entr aten.special_log_ndtr aten.logit aten.sgn aten.sinc aten.unsafe_split.Tensor ' +
  'aten.std_mean.correction aten.nansum aten.take aten.trace aten._weight_norm_interface ' +
  'aten.multi_margin_loss aten.multilabel_margin_loss_forward aten.nll_loss2d_forward aten.soft_margin_loss ' +
  'aten.hardshrink aten.softshrink aten.reflection_pad1d aten.reflection_pad2d aten.reflection_pad3d ' +
  'aten.replication_pad1d aten.replication_pad2d aten.replication_pad3d ' +
  'aten.upsample_bicubic2d aten.channel_shuffle ' +
  'aten.col2im aten.im2col aten.linalg_cross aten.bernoulli'

export const DERIVATIVES: Derivatives = { [NAMES]: 'unsupported' }
