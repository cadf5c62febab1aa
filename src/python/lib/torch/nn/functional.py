"""torch.nn.functional: the aten operators under their Python signatures.

Reason for length: the names of one module of PyTorch.
"""

import importlib

from _fusescope import bridge

from torch import _calls, _functions, _homes, _ops, overrides
from torch._types import memory_format as _memory_format

from ._attention import multi_head_attention_forward, scaled_dot_product_attention  # noqa: F401
from ._embedding_bag import embedding_bag  # noqa: F401
from ._losses import (  # noqa: F401
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    cross_entropy,
    gaussian_nll_loss,
    hinge_embedding_loss,
    huber_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
    soft_margin_loss,
    triplet_margin_with_distance_loss,
)
from ._pooling import (  # noqa: F401
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    avg_pool2d,
    fractional_max_pool2d,
    fractional_max_pool3d,
    local_response_norm,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_pool2d,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from ._sampling import affine_grid, fold, grid_sample, interpolate, unfold, upsample  # noqa: F401


_contiguous = _memory_format.named("contiguous_format")


def _unary(name):
    def function(input, inplace=False):
        return bridge.op(f"aten.{name}_" if inplace else f"aten.{name}", (input,), {})

    function.__name__ = name
    return function


relu, silu, selu, hardswish, hardsigmoid, mish, relu6 = map(
    _unary, "relu silu selu hardswish hardsigmoid mish relu6".split()
)


def gelu(input, approximate="none"):
    return bridge.op("aten.gelu", (input,), {} if approximate == "none" else {"approximate": approximate})


def sigmoid(input):
    return input.sigmoid()


def tanh(input):
    return input.tanh()


def logsigmoid(input):
    return bridge.op("aten.log_sigmoid", (input,), {})


def softplus(input, beta=1, threshold=20):
    return bridge.op("aten.softplus", (input, beta, threshold), {})


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return softmax(-input, dim, _stacklevel, dtype)


def softsign(input):
    return input / (input.abs() + 1)


def tanhshrink(input):
    return input - input.tanh()


def threshold(input, threshold, value, inplace=False):
    return bridge.op("aten.threshold_" if inplace else "aten.threshold", (input, threshold, value), {})


def celu(input, alpha=1.0, inplace=False):
    return bridge.op("aten.celu_" if inplace else "aten.celu", (input, alpha), {})


def prelu(input, weight):
    return bridge.op("aten.prelu", (input, weight), {})


def glu(input, dim=-1):
    return bridge.op("aten.glu", (input, dim), {})


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    return bridge.op(f"aten.alpha_dropout{'_' if inplace else ''}.default", (input, p, training), {})


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return bridge.op("aten.leaky_relu_" if inplace else "aten.leaky_relu", (input, negative_slope), {})


def elu(input, alpha=1.0, inplace=False):
    return bridge.op("aten.elu_" if inplace else "aten.elu", (input, alpha), {})


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return bridge.op("aten.hardtanh_" if inplace else "aten.hardtanh", (input, min_val, max_val), {})


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    dim = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return input.softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.log_softmax(dim, dtype=dtype)


def linear(input, weight, bias=None):
    return _calls.op("aten.linear.default", (input, weight) if bias is None else (input, weight, bias), {})


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return _calls.op("aten.layer_norm.default", (input, list(normalized_shape), weight, bias, eps), {})


def rms_norm(input, normalized_shape, weight=None, eps=None):
    return _calls.op("aten.rms_norm.default", (input, list(normalized_shape), weight, eps), {})


def _verify_batch_size(size):
    values = size[0]
    for dim in size[2:]:
        values *= dim
    if values == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    _verify_batch_size([input.size(0) * input.size(1) // num_groups, num_groups, *input.size()[2:]])
    return _calls.op("aten.group_norm.default", (input, num_groups, weight, bias, eps), {})


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    if training:
        _verify_batch_size(input.size())
    return _calls.op(
        "aten.batch_norm.default", (input, weight, bias, running_mean, running_var, training, momentum, eps, False), {}
    )


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if padding_idx is None:
        padding_idx = -1
    elif padding_idx > 0 and padding_idx >= weight.size(0) or padding_idx < 0 and padding_idx < -weight.size(0):
        raise AssertionError("Padding_idx must be within num_embeddings")
    elif padding_idx < 0:
        padding_idx = weight.size(0) + padding_idx
    if max_norm is not None:
        input = input.contiguous()
        bridge.op("aten.embedding_renorm_.default", (weight.detach(), input, max_norm, norm_type), {})
    return _calls.op("aten.embedding.default", (weight, input, padding_idx, scale_grad_by_freq, sparse), {})


def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    return bridge.op("aten._grouped_mm.default", (mat_a, mat_b, offs, bias, out_dtype), {})


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input, p=0.5, training=True, inplace=False):
    _check_probability(p)
    return _calls.op("aten.dropout.default", (input, p, training), {})


def dropout2d(input, p=0.5, training=True, inplace=False):
    _check_probability(p)
    return bridge.op(f"aten.feature_dropout{'_' if inplace else ''}.default", (input, p, training), {})


def dropout1d(input, p=0.5, training=True, inplace=False):
    _check_probability(p)
    wide = input.unsqueeze(0) if input.dim() == 2 else input
    out = bridge.op(f"aten.feature_dropout{'_' if inplace else ''}.default", (wide, p, training), {})
    return out.squeeze(0) if input.dim() == 2 else out


def dropout3d(input, p=0.5, training=True, inplace=False):
    return dropout2d(input, p, training, inplace)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    _check_probability(p)
    return bridge.op(f"aten.feature_alpha_dropout{'_' if inplace else ''}.default", (input, p, training), {})


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    noise = bridge.op("aten.empty_like.default", (logits,), {"memory_format": _contiguous}).exponential_()
    soft = softmax((logits + -noise.log()) / tau, dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    zeros = bridge.op("aten.zeros_like.default", (logits,), {"memory_format": _contiguous})
    return zeros.scatter_(dim, index, 1.0) - soft.detach() + soft


def pad(input, pad, mode="constant", value=None):
    if mode == "constant":
        return bridge.op("aten.constant_pad_nd.default", (input, list(pad), 0.0 if value is None else float(value)), {})
    return bridge.op("aten.pad.default", (input, list(pad), mode, value), {})


def _batched(n, conv):
    """conv of an input with or without a batch dimension, which C++ adds first."""

    def function(input, *args, **kwargs):
        if input.dim() != n + 1:
            return conv(input, *args, **kwargs)
        return bridge.op("aten.squeeze.dim", (conv(input.unsqueeze(0), *args, **kwargs), 0), {})

    return function


def _conv(n):
    def padded(input, weight, bias, stride, padding, dilation, groups):
        dilations = list(dilation) if isinstance(dilation, (list, tuple)) else [dilation] * n
        if padding == "same":
            if any(v != 1 for v in (stride if isinstance(stride, (list, tuple)) else [stride])):
                raise RuntimeError("padding='same' is not supported for strided convolutions")
            totals = [d * (k - 1) for d, k in zip(dilations, weight.shape[2:])]
            padding = [t // 2 for t in totals]
            if any(t % 2 for t in totals):  # one more behind than before
                behind = [v for t in reversed(totals) for v in (0, t % 2)]
                input = bridge.op("aten.constant_pad_nd.default", (input, behind, 0), {})
            zeros = [0] * n
        else:  # conv_valid passes one 0 for all dimensions
            padding = zeros = [0]
        steps = [stride] * n if isinstance(stride, int) else list(stride)
        args = (input, weight, bias, steps, padding, dilations, False, zeros, groups)
        return bridge.op("aten.convolution.default", args, {})

    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        if isinstance(padding, str):
            return _batched(n, padded)(input, weight, bias, stride, padding, dilation, groups)
        many = [list(v) if isinstance(v, (list, tuple)) else [v] * n for v in (stride, padding, dilation)]
        return bridge.op(f"aten.conv{n}d.default", (input, weight, bias, *many, groups), {})

    return conv


conv1d, conv2d, conv3d = _conv(1), _conv(2), _conv(3)


def _conv_transpose(n):
    def conv(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        stride, padding, output_padding, dilation = (
            list(v) if isinstance(v, (list, tuple)) else [v] * n for v in (stride, padding, output_padding, dilation)
        )
        args = (input, weight, bias, stride, padding, dilation, True, output_padding, groups)
        return bridge.op("aten.convolution.default", args, {})

    return _batched(n, conv)


conv_transpose1d, conv_transpose2d, conv_transpose3d = map(_conv_transpose, (1, 2, 3))


def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05
):
    args = (input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False)
    return bridge.op("aten.instance_norm.default", args, {})


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def one_hot(tensor, num_classes=-1):
    return bridge.op("aten.one_hot.default", (tensor, num_classes), {})


_homes.settle_all(globals(), __name__)
overrides.install(globals())
_threshold = threshold


def __getattr__(name):
    from torch._names import FUNCTIONAL

    if name not in FUNCTIONAL:
        raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")
    if name in _homes.OF_TORCH:
        return _functions.lookup(name)
    if name in _homes.OF_C:
        return getattr(importlib.import_module("torch._C._nn"), _homes.OF_C[name])
    packet = getattr(_ops.ops.aten, name, None)

    def function(*args, **kwargs):
        if packet is None:
            raise NotImplementedError(f"Fusescope's torch has no torch.nn.functional.{name}")
        if "input" in kwargs:
            args, kwargs = (kwargs["input"], *args), {k: v for k, v in kwargs.items() if k != "input"}
        return bridge.op(f"aten.{name}", args, kwargs)

    found = globals()[name] = overrides.overridable(_homes.settle(function, __name__, name))
    return found


_functions.of_functional = globals()
