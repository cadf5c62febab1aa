"""torch.nn: the part of Module that helper classes of fusion passes use."""

from _fusescope import partial_modules as _partial
from torch._tensor import Parameter, Tensor, parameter  # noqa: F401

from . import functional, init, utils  # noqa: F401
from ._containers import ModuleDict, ModuleList, ParameterList, Sequential  # noqa: F401
from ._module import Module
from .modules import defining_module as _defining_module


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        self.in_features, self.out_features = in_features, out_features
        self.weight = _uninitialized((out_features, in_features), True, device, dtype)
        self.register_parameter("bias", _uninitialized((out_features,), bias, device, dtype))
        self.reset_parameters()

    def reset_parameters(self):
        init.fill_product(self.weight, self.bias)

    def forward(self, input):
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


def _calls(name, function, **defaults):
    """A module class whose constructor takes the function's remaining arguments, in this order."""

    def __init__(self, *args, **kwargs):
        options = {**defaults, **dict(zip(defaults, args)), **kwargs}
        if options.get("stride", 1) is None:
            options["stride"] = options["kernel_size"]
        for option, value in options.items():
            setattr(self, option, value)

    def forward(self, input):
        return function(input, **{option: getattr(self, option) for option in defaults})

    def extra_repr(self):
        if tuple(defaults) == ("inplace",):
            return "inplace=True" if self.inplace else ""
        return ", ".join(
            f"{option}={getattr(self, option)!r}" for option in defaults if option != "inplace" or self.inplace
        )

    return type(name, (Module,), {"__init__": __init__, "forward": forward, "extra_repr": extra_repr})


ReLU = _calls("ReLU", functional.relu, inplace=False)
ReLU6 = _calls("ReLU6", functional.relu6, inplace=False)
SiLU = _calls("SiLU", functional.silu, inplace=False)
Mish = _calls("Mish", functional.mish, inplace=False)
Hardswish = _calls("Hardswish", functional.hardswish, inplace=False)
GELU = _calls("GELU", functional.gelu, approximate="none")
Sigmoid = _calls("Sigmoid", functional.sigmoid)
Tanh = _calls("Tanh", functional.tanh)
LogSigmoid = _calls("LogSigmoid", functional.logsigmoid)
Softplus = _calls("Softplus", functional.softplus, beta=1.0, threshold=20.0)
LeakyReLU = _calls("LeakyReLU", functional.leaky_relu, negative_slope=0.01, inplace=False)
Softmax = _calls("Softmax", functional.softmax, dim=None)
LogSoftmax = _calls("LogSoftmax", functional.log_softmax, dim=None)
GLU = _calls("GLU", functional.glu, dim=-1)
MaxPool2d = _calls(
    "MaxPool2d",
    functional.max_pool2d,
    kernel_size=None,
    stride=None,
    padding=0,
    dilation=1,
    return_indices=False,
    ceil_mode=False,
)
AvgPool2d = _calls(
    "AvgPool2d",
    functional.avg_pool2d,
    kernel_size=None,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
)
for _rank in ("1d", "2d", "3d"):
    for _name, _options in (("AdaptiveAvgPool", {}), ("AdaptiveMaxPool", {"return_indices": False})):
        _function = getattr(functional, f"adaptive_{_name[8:11].lower()}_pool{_rank}")
        globals()[_name + _rank] = _calls(_name + _rank, _function, output_size=None, **_options)


def _loss(name, function, *names, **defaults):
    """A loss as a module: its options in this order, then input and target (and more) when it is called."""

    def __init__(self, *args, **kwargs):
        order = [*names, *defaults]
        given = {**defaults, **dict(zip(order, args)), **kwargs}
        self._given = {k: v for k, v in given.items() if k not in ("size_average", "reduce")}

    return type(
        name, (Module,), {"__init__": __init__, "forward": lambda self, *tensors: function(*tensors, **self._given)}
    )


_OLD = ("size_average", "reduce")
L1Loss = _loss("L1Loss", functional.l1_loss, *_OLD, reduction="mean")
MSELoss = _loss("MSELoss", functional.mse_loss, *_OLD, reduction="mean")
SmoothL1Loss = _loss("SmoothL1Loss", functional.smooth_l1_loss, *_OLD, reduction="mean", beta=1.0)
HuberLoss = _loss("HuberLoss", functional.huber_loss, reduction="mean", delta=1.0)
KLDivLoss = _loss("KLDivLoss", functional.kl_div, *_OLD, reduction="mean", log_target=False)
BCELoss = _loss("BCELoss", functional.binary_cross_entropy, "weight", *_OLD, reduction="mean")
BCEWithLogitsLoss = _loss(
    "BCEWithLogitsLoss", functional.binary_cross_entropy_with_logits, "weight", *_OLD, reduction="mean", pos_weight=None
)
SoftMarginLoss = _loss("SoftMarginLoss", functional.soft_margin_loss, *_OLD, reduction="mean")
NLLLoss = _loss("NLLLoss", functional.nll_loss, "weight", "size_average", ignore_index=-100, reduction="mean")
CrossEntropyLoss = _loss(
    "CrossEntropyLoss",
    functional.cross_entropy,
    "weight",
    "size_average",
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
)
CosineEmbeddingLoss = _loss(
    "CosineEmbeddingLoss",
    functional.cosine_embedding_loss,
    margin=0.0,
    size_average=None,
    reduce=None,
    reduction="mean",
)
MarginRankingLoss = _loss(
    "MarginRankingLoss", functional.margin_ranking_loss, margin=0.0, size_average=None, reduce=None, reduction="mean"
)


class Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        self.p, self.inplace = p, inplace

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"

    def forward(self, input):
        return functional.dropout(input, self.p, self.training, self.inplace)


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        self.normalized_shape, self.eps = _sizes(normalized_shape), eps
        self.weight = _uninitialized(self.normalized_shape, elementwise_affine, device, dtype)
        self.bias = _uninitialized(self.normalized_shape, elementwise_affine and bias, device, dtype)
        if self.weight is not None:
            self.weight.fill_(1.0)
        if self.bias is not None:
            self.bias.zero_()

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.weight is not None}, bias={self.bias is not None}"

    def forward(self, input):
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        self.normalized_shape, self.eps = _sizes(normalized_shape), eps
        self.weight = _uninitialized(self.normalized_shape, elementwise_affine, device, dtype)
        if self.weight is not None:
            self.weight.fill_(1.0)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.weight is not None}"

    def forward(self, x):
        return functional.rms_norm(x, self.normalized_shape, self.weight, self.eps)


class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.weight = _uninitialized((num_channels,), affine, device, dtype)
        self.bias = _uninitialized((num_channels,), affine, device, dtype)
        if affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def extra_repr(self):
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"

    def forward(self, input):
        return functional.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        self.num_parameters, self.init = num_parameters, init
        self.weight = _uninitialized((num_parameters,), True, device, dtype)
        self.weight.fill_(init)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"

    def forward(self, input):
        return functional.prelu(input, self.weight)


def _sizes(shape):
    return tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)


def _uninitialized(shape, wanted, device, dtype):
    import torch

    return parameter(torch.empty(shape, device=device, dtype=dtype)) if wanted else None


Identity = type("Identity", (Module,), {"forward": lambda self, x: x})


def _made_lazily(name):
    """Conv1d to Conv3d, BatchNorm1d to BatchNorm3d and Embedding: their module imports torch, which imports this one."""
    from . import _convolutions

    if name == "Embedding":
        return _settled(type(name, (_convolutions.EmbeddingForward, Module), {}))
    make = _convolutions.convolution if name.startswith("Conv") else _convolutions.batch_norm
    return _settled(make(Module, int(name[-2])))


def _settled(cls):
    """The class, in the module where PyTorch defines it."""
    cls.__module__ = _defining_module(cls.__name__)
    return cls


for _cls in [_value for _value in globals().values() if isinstance(_value, type) and issubclass(_value, Module)]:
    _settled(_cls)


_LAZY = frozenset("Conv1d Conv2d Conv3d BatchNorm1d BatchNorm2d BatchNorm3d Embedding".split())


_other = _partial.of_pytorch(__name__)


def __getattr__(name):
    if name not in _LAZY:
        return _other(name)
    made = globals()[name] = _made_lazily(name)
    return made
