"""torch.nn.functional: the aten operators under their Python signatures."""
import math

from _fusescope import bridge

from ._losses import (  # noqa: F401
    binary_cross_entropy, binary_cross_entropy_with_logits, cross_entropy, gaussian_nll_loss, huber_loss, kl_div, l1_loss,
    margin_ranking_loss, mse_loss, nll_loss, poisson_nll_loss, smooth_l1_loss, soft_margin_loss,
)


def _unary(name):
    def function(input, inplace=False):
        return bridge.op(f"aten.{name}_" if inplace else f"aten.{name}", (input,), {})

    function.__name__ = name
    return function


relu, silu, selu, hardswish, hardsigmoid, mish, relu6 = map(_unary, "relu silu selu hardswish hardsigmoid mish relu6".split())


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


def _refused(name):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"Fusescope's torch has no torch.nn.functional.{name}")

    return refuse


# torch has operators of these names that mean something else.
unfold, fold = _refused("unfold"), _refused("fold")


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    return bridge.op(f"aten.alpha_dropout{'_' if inplace else ''}.default", (input, p, training), {})


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    args = (input, _pair(kernel_size), _pair(kernel_size if stride is None else stride), _pair(padding), _pair(dilation), ceil_mode)
    return bridge.op("aten.max_pool2d_with_indices" if return_indices else "aten.max_pool2d", args, {})


def adaptive_max_pool2d(input, output_size, return_indices=False):
    values, indices = bridge.op("aten.adaptive_max_pool2d.default", (input, _pair(output_size)), {})
    return (values, indices) if return_indices else values


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    args = (input, _pair(kernel_size), _pair(stride) if stride is not None else [], _pair(padding), ceil_mode,
            count_include_pad, divisor_override)
    return bridge.op("aten.avg_pool2d", args, {})


def adaptive_avg_pool2d(input, output_size):
    return bridge.op("aten.adaptive_avg_pool2d", (input, _pair(output_size)), {})


def _pair(value):
    return list(value) if isinstance(value, (list, tuple)) else [value, value]


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return bridge.op("aten.leaky_relu_" if inplace else "aten.leaky_relu", (input, negative_slope), {})


def elu(input, alpha=1.0, inplace=False):
    return bridge.op("aten.elu_" if inplace else "aten.elu", (input, alpha), {})


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return bridge.op("aten.hardtanh_" if inplace else "aten.hardtanh", (input, min_val, max_val), {})


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    dim = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return bridge.op("aten.softmax.int", (input, dim) if dtype is None else (input, dim, dtype), {})


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return bridge.op("aten.log_softmax.int", (input, dim) if dtype is None else (input, dim, dtype), {})


def linear(input, weight, bias=None):
    return bridge.op("aten.linear.default", (input, weight) if bias is None else (input, weight, bias), {})


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return bridge.op("aten.layer_norm.default", (input, list(normalized_shape), weight, bias, eps), {})


def rms_norm(input, normalized_shape, weight=None, eps=None):
    return bridge.op("aten.rms_norm.default", (input, list(normalized_shape), weight, eps), {})


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
    return bridge.op("aten.group_norm.default", (input, num_groups, weight, bias, eps), {})


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    if training:
        _verify_batch_size(input.size())
    return bridge.op("aten.batch_norm.default", (input, weight, bias, running_mean, running_var, training, momentum, eps, False), {})


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if max_norm is not None:
        input = input.contiguous()
        bridge.op("aten.embedding_renorm_.default", (weight.detach(), input, max_norm, norm_type), {})
    return bridge.op("aten.embedding.default", (weight, input) if padding_idx is None else (weight, input, padding_idx), {})


def dropout(input, p=0.5, training=True, inplace=False):
    return bridge.op("aten.dropout.default", (input, p, training), {})


def dropout2d(input, p=0.5, training=True, inplace=False):
    return bridge.op(f"aten.feature_dropout{'_' if inplace else ''}.default", (input, p, training), {})


def pad(input, pad, mode="constant", value=None):
    if mode == "constant":
        return bridge.op("aten.constant_pad_nd.default", (input, list(pad), 0.0 if value is None else float(value)), {})
    return bridge.op("aten.pad.default", (input, list(pad), mode, value), {})


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                                 enable_gqa=False):
    given = {"attn_mask": attn_mask, "dropout_p": dropout_p, "is_causal": is_causal, "scale": scale, "enable_gqa": enable_gqa}
    plain = {"attn_mask": None, "dropout_p": 0.0, "is_causal": False, "scale": None, "enable_gqa": False}
    kwargs = {k: v for k, v in given.items() if v is not plain[k] and v != plain[k]}
    return bridge.op("aten.scaled_dot_product_attention.default", (query, key, value), kwargs)


def _conv(n):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        if padding == "same":
            dilations = list(dilation) if isinstance(dilation, (list, tuple)) else [dilation] * n
            totals = [d * (k - 1) for d, k in zip(dilations, weight.shape[2:])]
            padding = [t // 2 for t in totals]
            if any(t % 2 for t in totals):  # one more behind than before
                behind = [v for t in reversed(totals) for v in (0, t % 2)]
                input = bridge.op("aten.constant_pad_nd.default", (input, behind, 0), {})
        elif padding == "valid":
            padding = 0
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

    return conv


conv_transpose1d, conv_transpose2d, conv_transpose3d = map(_conv_transpose, (1, 2, 3))


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1,
                  eps=1e-05):
    args = (input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False)
    return bridge.op("aten.instance_norm.default", args, {})


_UPSAMPLED = {
    ("nearest", 3): "upsample_nearest1d", ("nearest", 4): "upsample_nearest2d", ("nearest", 5): "upsample_nearest3d",
    ("nearest-exact", 3): "_upsample_nearest_exact1d", ("nearest-exact", 4): "_upsample_nearest_exact2d",
    ("nearest-exact", 5): "_upsample_nearest_exact3d", ("linear", 3): "upsample_linear1d",
    ("bilinear", 4): "upsample_bilinear2d", ("trilinear", 5): "upsample_trilinear3d", ("bicubic", 4): "upsample_bicubic2d",
}


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None,
                antialias=False):
    aligned = mode not in ("nearest", "area", "nearest-exact")
    if not aligned and align_corners is not None:
        raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear")
    if (size is None) == (scale_factor is None):
        raise ValueError("either size or scale_factor should be defined" if size is None else
                         "only one of size or scale_factor should be defined")
    rank = input.ndim - 2
    many = lambda v: list(v) if isinstance(v, (list, tuple)) else [v] * rank  # noqa: E731
    size = None if size is None else many(size)
    factors = None if scale_factor is None else [float(f) for f in many(scale_factor)]
    if factors is not None and (recompute_scale_factor or mode == "area"):
        size, factors = [math.floor(d * f) for d, f in zip(input.shape[2:], factors)], None
    if mode == "area":
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[rank - 1](input, size)
    name = _UPSAMPLED.get((mode, input.ndim))
    if name is None:
        raise NotImplementedError("Input Error: Only 3D, 4D and 5D input Tensors supported"
                                  f" (got {input.ndim}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact"
                                  f" (got {mode})")
    if antialias:
        if mode not in ("bilinear", "bicubic"):
            raise ValueError("Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input")
        name = f"_{name}_aa"
    return bridge.op(f"aten.{name}.vec", (input, size, *([bool(align_corners)] if aligned else []), factors), {})


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    return interpolate(input, size, scale_factor, mode, align_corners)


def adaptive_avg_pool1d(input, output_size):
    return bridge.op("aten.adaptive_avg_pool1d", (input, [output_size] if isinstance(output_size, int) else list(output_size)), {})


def adaptive_avg_pool3d(input, output_size):
    return bridge.op("aten.adaptive_avg_pool3d", (input, _triple(output_size)), {})


def _triple(value):
    return list(value) if isinstance(value, (list, tuple)) else [value] * 3


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def one_hot(tensor, num_classes=-1):
    return bridge.op("aten.one_hot.default", (tensor, num_classes), {})


def __getattr__(name):
    from torch._names import FUNCTIONAL

    if name not in FUNCTIONAL:
        raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")
    from torch import ops

    packet = getattr(ops.aten, name, None)

    def function(*args, **kwargs):
        if packet is None:
            raise NotImplementedError(f"Fusescope's torch has no torch.nn.functional.{name}")
        if "input" in kwargs:
            args, kwargs = (kwargs["input"], *args), {k: v for k, v in kwargs.items() if k != "input"}
        return bridge.op(f"aten.{name}", args, kwargs)

    function.__name__ = name
    function.__module__ = "torch.nn.functional"
    return function
