"""torch.nn.functional: the aten operators under their Python signatures."""
from _fusescope import bridge


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


def softplus(input, beta=1.0, threshold=20.0):
    return bridge.op("aten.softplus", (input, beta, threshold), {})


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return bridge.op("aten.leaky_relu", (input, negative_slope), {})


def elu(input, alpha=1.0, inplace=False):
    return bridge.op("aten.elu", (input, alpha), {})


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return bridge.op("aten.hardtanh", (input, min_val, max_val), {})


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


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    return bridge.op("aten.group_norm.default", (input, num_groups, weight, bias, eps), {})


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    return bridge.op("aten.batch_norm.default", (input, weight, bias, running_mean, running_var, training, momentum, eps, False), {})


def embedding(input, weight, padding_idx=None, *args, **kwargs):
    return bridge.op("aten.embedding.default", (weight, input) if padding_idx is None else (weight, input, padding_idx), {})


def dropout(input, p=0.5, training=True, inplace=False):
    return bridge.op("aten.dropout.default", (input, p, training), {})


def pad(input, pad, mode="constant", value=None):
    if mode == "constant":
        return bridge.op("aten.constant_pad_nd.default", (input, list(pad), 0.0 if value is None else value), {})
    return bridge.op("aten.pad.default", (input, list(pad), mode, value), {})


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                                 enable_gqa=False):
    given = {"attn_mask": attn_mask, "dropout_p": dropout_p, "is_causal": is_causal, "scale": scale, "enable_gqa": enable_gqa}
    plain = {"attn_mask": None, "dropout_p": 0.0, "is_causal": False, "scale": None, "enable_gqa": False}
    kwargs = {k: v for k, v in given.items() if v is not plain[k] and v != plain[k]}
    return bridge.op("aten.scaled_dot_product_attention.default", (query, key, value), kwargs)


def _conv(n):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        many = [list(v) if isinstance(v, (list, tuple)) else [v] * n for v in (stride, padding, dilation)]
        return bridge.op("aten.convolution.default", (input, weight, bias, *many, False, [0] * n, groups), {})

    return conv


conv1d, conv2d, conv3d = _conv(1), _conv(2), _conv(3)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def mse_loss(input, target, reduction="mean"):
    return bridge.op("aten.mse_loss.default", (input, target), {})


def one_hot(tensor, num_classes=-1):
    return bridge.op("aten.one_hot.default", (tensor, num_classes), {})


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *args, **kwargs: bridge.op(f"aten.{name}", args, kwargs)
