/**
 * Signatures of PyTorch 2.14.1's Python functions that appear in graphs before autograd; `F.` is torch.nn.functional.
 */
import { once } from '../../base/memoize'
import type { Arg } from '../../fx'
import type { SchemaArgFacts } from '../schema_facts'

const SIGNATURES = `
torch.functional.cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')
torch.functional.lu(A, pivot=True, get_infos=False, out=None)
torch.functional.norm(input, p='fro', dim=None, keepdim=False, out=None, dtype=None)
torch.functional.split(tensor, split_size_or_sections, dim=0)
torch.functional.stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect', normalized=False, onesided=None, return_complex=None, align_to_window=None)
torch.functional.tensordot(a, b, dims=2, out=None)
torch.functional.unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None)
torch.functional.unique_consecutive(input, return_inverse=False, return_counts=False, dim=None)
torch.functional.unravel_index(indices, shape)
F.adaptive_avg_pool2d(input, output_size)
F.adaptive_avg_pool3d(input, output_size)
F.adaptive_max_pool1d(input, output_size, return_indices=False)
F.adaptive_max_pool1d_with_indices(input, output_size, return_indices=False)
F.adaptive_max_pool2d(input, output_size, return_indices=False)
F.adaptive_max_pool2d_with_indices(input, output_size, return_indices=False)
F.adaptive_max_pool3d(input, output_size, return_indices=False)
F.adaptive_max_pool3d_with_indices(input, output_size, return_indices=False)
F.affine_grid(theta, size, align_corners=None)
F.alpha_dropout(input, p=0.5, training=False, inplace=False)
F.assert_int_or_pair(arg, arg_name, message)
F.batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05)
F.binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction='mean')
F.binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None)
F.celu(input, alpha=1.0, inplace=False)
F.cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction='mean')
F.cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0)
F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction='mean', zero_infinity=False)
F.dropout(input, p=0.5, training=True, inplace=False)
F.dropout1d(input, p=0.5, training=True, inplace=False)
F.dropout2d(input, p=0.5, training=True, inplace=False)
F.dropout3d(input, p=0.5, training=True, inplace=False)
F.elu(input, alpha=1.0, inplace=False)
F.embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False)
F.embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None)
F.feature_alpha_dropout(input, p=0.5, training=False, inplace=False)
F.fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1)
F.fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None)
F.fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None)
F.fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None)
F.fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None)
F.gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction='mean')
F.glu(input, dim=-1)
F.grid_sample(input, grid, mode='bilinear', padding_mode='zeros', align_corners=None)
F.group_norm(input, num_groups, weight=None, bias=None, eps=1e-05)
F.grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None)
F.gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1)
F.hardsigmoid(input, inplace=False)
F.hardswish(input, inplace=False)
F.hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False)
F.hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction='mean')
F.huber_loss(input, target, reduction='mean', delta=1.0, weight=None)
F.instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05)
F.interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False)
F.kl_div(input, target, size_average=None, reduce=None, reduction='mean', log_target=False)
F.l1_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None)
F.layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05)
F.leaky_relu(input, negative_slope=0.01, inplace=False)
F.linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction='mean', ignore_index=None, label_smoothing=0.0, options=None)
F.local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0)
F.log_softmax(input, dim=None, _stacklevel=3, dtype=None)
F.lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False)
F.lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False)
F.lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False)
F.margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction='mean')
F.max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)
F.max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)
F.max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)
F.max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)
F.max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)
F.max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)
F.max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None)
F.max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None)
F.max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None)
F.mish(input, inplace=False)
F.mse_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None)
F.multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True, is_causal=False)
F.multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction='mean')
F.multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction='mean')
F.multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction='mean')
F.nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')
F.normalize(input, p=2.0, dim=1, eps=1e-12, out=None)
F.pad(input, pad, mode='constant', value=None)
F.poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean')
F.relu(input, inplace=False)
F.relu6(input, inplace=False)
F.rms_norm(input, normalized_shape, weight=None, eps=None)
F.rrelu(input, lower=0.125, upper=0.3333333333333333, training=False, inplace=False)
F.selu(input, inplace=False)
F.sigmoid(input)
F.silu(input, inplace=False)
F.smooth_l1_loss(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0)
F.soft_margin_loss(input, target, size_average=None, reduce=None, reduction='mean')
F.softmax(input, dim=None, _stacklevel=3, dtype=None)
F.softmin(input, dim=None, _stacklevel=3, dtype=None)
F.softsign(input)
F.tanh(input)
F.tanhshrink(input)
F.triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, size_average=None, reduce=None, reduction='mean')
F.triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction='mean')
F.unfold(input, kernel_size, dilation=1, padding=0, stride=1)
F.upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None)
F.upsample_bilinear(input, size=None, scale_factor=None)
F.upsample_nearest(input, size=None, scale_factor=None)
`

const table = once(() => new Map(SIGNATURES.trim().split('\n').map(read)))

/** The parameters of `torch.nn.functional.layer_norm`; null for any other function. */
export function pythonParameters(target: string): readonly SchemaArgFacts[] | null {
  return table().get(target) ?? null
}

function read(line: string): [string, readonly SchemaArgFacts[]] {
  const [name, rest] = [line.slice(0, line.indexOf('(')), line.slice(line.indexOf('(') + 1, -1)]
  const args: SchemaArgFacts[] = []
  let kwargOnly = false
  for (const part of rest.split(', ')) {
    if (part === '*') kwargOnly = true
    else {
      const [param, value] = part.split('=') as [string, string?]
      args.push(value === undefined ? { name: param, kwargOnly } : { name: param, kwargOnly, default: literal(value) })
    }
  }
  return [name.replace(/^F\./, 'torch.nn.functional.'), args]
}

function literal(text: string): Arg {
  if (text === 'None') return null
  if (text === 'True' || text === 'False') return text === 'True'
  if (text.startsWith("'")) return text.slice(1, -1)
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text)
}
