"""How calls of torch's Python functions are recorded."""

# Functions of Python in torch.nn.functional and torch.functional: the arguments that their call records by position, then
# those by keyword. The others record the call as it is written.
_TEXT = """
adaptive_avg_pool2d input output_size |
adaptive_avg_pool3d input output_size |
adaptive_max_pool1d input output_size | return_indices
adaptive_max_pool2d input output_size | return_indices
adaptive_max_pool3d input output_size | return_indices
affine_grid theta size | align_corners
alpha_dropout input | p training inplace
batch_norm input running_mean running_var | weight bias training momentum eps
binary_cross_entropy input target | weight size_average reduce reduction
binary_cross_entropy_with_logits input target | weight size_average reduce reduction pos_weight
cdist x1 x2 | p compute_mode
celu input | alpha inplace
cosine_embedding_loss input1 input2 target | margin size_average reduce reduction
cross_entropy input target | weight size_average ignore_index reduce reduction label_smoothing
ctc_loss log_probs targets input_lengths target_lengths | blank reduction zero_infinity
dropout input | p training inplace
dropout1d input | p training inplace
dropout2d input | p training inplace
dropout3d input | p training inplace
elu input | alpha inplace
embedding input weight | padding_idx max_norm norm_type scale_grad_by_freq sparse
embedding_bag input weight | offsets max_norm norm_type scale_grad_by_freq mode sparse per_sample_weights include_last_offset padding_idx
feature_alpha_dropout input | p training inplace
fold input output_size kernel_size | dilation padding stride
gaussian_nll_loss input target var | full eps reduction
glu input | dim
grid_sample input grid | mode padding_mode align_corners
group_norm input num_groups | weight bias eps
gumbel_softmax logits | tau hard eps dim
hardsigmoid input | inplace
hardswish input | inplace
hardtanh input | min_val max_val inplace
hinge_embedding_loss input target | margin size_average reduce reduction
huber_loss input target | reduction delta weight
instance_norm input | running_mean running_var weight bias use_input_stats momentum eps
interpolate input | size scale_factor mode align_corners recompute_scale_factor antialias
kl_div input target | size_average reduce reduction log_target
l1_loss input target | size_average reduce reduction
layer_norm input normalized_shape | weight bias eps
leaky_relu input | negative_slope inplace
local_response_norm input size | alpha beta k
log_softmax input | dim _stacklevel dtype
lp_pool1d input norm_type kernel_size | stride ceil_mode
lp_pool2d input norm_type kernel_size | stride ceil_mode
lp_pool3d input norm_type kernel_size | stride ceil_mode
margin_ranking_loss input1 input2 target | margin size_average reduce reduction
max_pool1d input kernel_size | stride padding dilation ceil_mode return_indices
max_pool2d input kernel_size | stride padding dilation ceil_mode return_indices
max_pool3d input kernel_size | stride padding dilation ceil_mode return_indices
mish input | inplace
mse_loss input target | size_average reduce reduction weight
multi_margin_loss input target | p margin weight size_average reduce reduction
multilabel_margin_loss input target | size_average reduce reduction
multilabel_soft_margin_loss input target | weight size_average reduce reduction
nll_loss input target | weight size_average ignore_index reduce reduction
norm input | p dim keepdim out dtype
normalize input | p dim eps out
pad input pad | mode value
poisson_nll_loss input target | log_input full size_average eps reduce reduction
relu input | inplace
relu6 input | inplace
rms_norm input normalized_shape | weight eps
rrelu input | lower upper training inplace
selu input | inplace
silu input | inplace
smooth_l1_loss input target | size_average reduce reduction beta
soft_margin_loss input target | size_average reduce reduction
softmax input | dim _stacklevel dtype
softmin input | dim _stacklevel dtype
softsign input |
split tensor split_size_or_sections | dim
stft input n_fft | hop_length win_length window center pad_mode normalized onesided return_complex align_to_window
tanhshrink input |
tensordot a b | dims out
triplet_margin_loss anchor positive negative | margin p eps swap size_average reduce reduction
triplet_margin_with_distance_loss anchor positive negative | distance_function margin swap reduction
unfold input kernel_size | dilation padding stride
"""
FORMS = {}
for _line in _TEXT.strip().splitlines():
    _by_position, _, _by_keyword = _line.partition("|")
    _name, *_first = _by_position.split()
    FORMS[_name] = _first, _by_keyword.split()
