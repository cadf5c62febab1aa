/**
 * Which operators torch.autocast casts the arguments of, and to what (aten/src/ATen/autocast_mode.h and .cpp of PyTorch 2.14.1, as the
 * registrations for AutocastCPU and AutocastCUDA list them).
 */
/** `first`: to float32 by the dtype argument if the first tensor is eligible; `widest`: to the widest dtype of the arguments. */
export type Policy = 'lower' | 'float32' | 'first' | 'widest'

const both =
  'addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input conv_transpose3d.input ' +
  'linalg_vecdot linear matmul mm prelu scaled_dot_product_attention _convolution.deprecated'

const LOSSES =
  'binary_cross_entropy_with_logits cosine_embedding_loss hinge_embedding_loss huber_loss kl_div l1_loss margin_ranking_loss mse_loss ' +
  'multi_margin_loss multilabel_margin_loss nll_loss nll_loss2d poisson_nll_loss smooth_l1_loss soft_margin_loss triplet_margin_loss'

const LISTS: Readonly<Record<string, Readonly<Partial<Record<Policy, string>>>>> = {
  cpu: {
    lower: `${both} conv1d.padding conv2d.padding conv3d.padding _addmm_activation`,
    float32:
      `${LOSSES} cross_entropy_loss binary_cross_entropy adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d cdist cholesky_inverse ` +
      'cholesky_solve ctc_loss.IntList ctc_loss.Tensor fake_quantize_per_tensor_affine fft_fft fft_fft2 fft_fftn fft_hfft fft_ifft ' +
      'fft_ifft2 fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn fractional_max_pool2d ' +
      'fractional_max_pool3d geqrf _grid_sampler_2d_cpu_fallback grid_sampler grid_sampler_2d grid_sampler_3d inverse linalg_cholesky ' +
      'linalg_cholesky_ex linalg_cond linalg_cond.p_str linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh ' +
      'linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq linalg_matrix_rank linalg_qr linalg_solve linalg_svd ' +
      'linalg_svdvals linalg_tensorinv linalg_tensorsolve lu_solve _lu_with_info max_pool3d max_unpool2d max_unpool3d ' +
      'multilabel_margin_loss_forward nanquantile nanquantile.scalar orgqr ormqr pinverse polar prod prod.dim_int quantile ' +
      'quantile.scalar reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d replication_pad3d stft stft.center svd ' +
      'trace triangular_solve view_as_complex',
    widest: 'cat index_copy stack',
  },
  cuda: {
    lower: `${both} _convolution addmv addr chain_matmul convolution einsum gru_cell linalg_multi_dot lstm_cell mv rnn_relu_cell rnn_tanh_cell`,
    float32:
      `${LOSSES} acos asin cdist cosh cosine_similarity dist erfinv exp expm1 frobenius_norm.dim group_norm layer_norm log log10 log1p ` +
      'log2 logsumexp native_layer_norm nuclear_norm nuclear_norm.dim pdist pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor reciprocal ' +
      'renorm rms_norm rsqrt sinh softplus tan upsample_bicubic2d upsample_bilinear2d upsample_linear1d upsample_nearest1d ' +
      'upsample_nearest2d upsample_nearest3d upsample_trilinear3d',
    first:
      'cumprod cumsum linalg_matrix_norm linalg_matrix_norm.str_ord linalg_vector_norm log_softmax.int prod prod.dim_int softmax.int ' +
      'sum sum.dim_IntList norm.Scalar norm.ScalarOpt_dim',
    widest:
      'addcdiv addcmul atan2 bilinear cat cross dot grid_sampler index_copy index_put scatter_add stack tensordot vdot',
  },
}

const POLICIES = new Map(
  Object.entries(LISTS).map(([device, lists]) => [
    device,
    new Map(
      Object.entries(lists).flatMap(([policy, names]) => names.split(' ').map((n) => [named(n), policy as Policy])),
    ),
  ]),
)

function named(name: string): string {
  return `aten.${name}${name.includes('.') ? '' : '.default'}`
}

export const policyOf = (device: string, target: string): Policy | undefined => POLICIES.get(device)?.get(target)
