"""torch.overrides: calls of torch's functions on objects that stand for tensors, such as the proxies of symbolic tracing."""
import functools
import inspect

from _fusescope import partial_modules as _partial

active = False  # whether such an object may exist in this run: calls before it need no search

# Functions of Python in torch.nn.functional and torch.functional: the arguments that their call records by position, then
# those by keyword. The others record the call as it is written.
_RECORDED = """
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
_FORMS = {}
for _line in _RECORDED.strip().splitlines():
    _by_position, _, _by_keyword = _line.partition("|")
    _name, *_first = _by_position.split()
    _FORMS[_name] = _first, _by_keyword.split()

# Functions that look into their arguments and record nothing.
_PLAIN = frozenset("is_tensor is_storage broadcast_shapes sym_int sym_max sym_min sym_not sym_sum can_cast".split())


def _stands_for_tensor(value):
    return hasattr(type(value), "__torch_function__") and not isinstance(value, _tensor())


def _tensor():
    global _tensor
    from torch._tensor import Tensor

    _tensor = lambda: Tensor  # noqa: E731
    return Tensor


def find(args, kwargs):
    """The first object among the arguments, or in a list among them, whose class handles torch's functions; None without one."""
    for value in (*args, *kwargs.values()):
        if _stands_for_tensor(value):
            return value
        if isinstance(value, (list, tuple)):
            for item in value:
                if _stands_for_tensor(item):
                    return item
    return None


def handled(function, args, kwargs, found):
    return type(found).__torch_function__(function, (type(found),), args, kwargs)


_OF_PYTHON = ("torch.nn.functional", "torch.functional")


def overridable(function):
    """The function with a check for such objects before it."""
    if function.__name__ in _PLAIN:
        return function
    form = _FORMS.get(function.__name__) if function.__module__ in _OF_PYTHON else None
    signature = inspect.signature(function) if form else None

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if active and (found := find(args, kwargs)) is not None:
            return handled(wrapper, *(_recorded(signature, form, args, kwargs) if form else (args, kwargs)), found)
        return function(*args, **kwargs)

    return wrapper


def _recorded(signature, form, args, kwargs):
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    given = bound.arguments
    return tuple(given[name] for name in form[0]), {name: given.get(name) for name in form[1]}


def install(module):
    """Makes the public functions in a module's globals overridable."""
    for name, value in list(module.items()):
        if inspect.isfunction(value) and not name.startswith("_"):
            module[name] = overridable(value)


def has_torch_function(relevant_args):
    return any(map(_stands_for_tensor, relevant_args))


def has_torch_function_unary(value):
    return _stands_for_tensor(value)


def has_torch_function_variadic(*values):
    return any(map(_stands_for_tensor, values))


def handle_torch_function(public_api, relevant_args, /, *args, **kwargs):
    found = next(value for value in relevant_args if _stands_for_tensor(value))
    return handled(public_api, args, kwargs, found)


def is_tensor_method_or_property(func):
    return getattr(func, "__qualname__", "").startswith("Tensor.")


def is_tensor_like(value):
    return isinstance(value, _tensor()) or _stands_for_tensor(value)


def get_ignored_functions():
    return set()


class TorchFunctionMode:
    def __init__(self):
        raise NotImplementedError("Fusescope's torch calls no TorchFunctionMode")


__getattr__ = _partial.of_pytorch(__name__)
