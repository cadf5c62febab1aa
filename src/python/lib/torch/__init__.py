"""The thin torch for fusion passes: fake tensors, operators, registration. Written for Fusescope; not PyTorch."""

# ruff: noqa: E402, F401

import sys as _sys

from . import _types
from ._types import ALIASES as _ALIASES, Size, SymBool, SymFloat, SymInt, device, dtype, layout, memory_format
from ._tensor import Tensor
from ._ops import ops
from ._tags import Tag

from ._factories import (
    arange,
    as_tensor,
    asarray,
    empty,
    empty_like,
    empty_permuted,
    empty_strided,
    eye,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    rand,
    rand_like,
    randint,
    randn,
    randn_like,
    randperm,
    range,
    scalar_tensor,
    tensor,
    zeros,
    zeros_like,
)
from ._tensor import indexing as _indexing
from . import _functions, _homes, overrides as _overrides
from .amp.autocast_mode import (
    autocast,
    get_autocast_dtype,
    is_autocast_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)
from .autograd.grad_mode import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled

from .torch_version import __version__

for _name in list(_types._DTYPES):
    globals()[_name] = _types._DTYPES[_name]
for _name, _target in _ALIASES.items():
    globals()[_name] = _types._DTYPES[_target]
for _name in "strided jagged sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc _mkldnn".split():
    globals()[_name] = layout.named(_name)
for _name in ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d"):
    globals()[_name] = memory_format.named(_name)

from math import e, inf, nan, pi

FloatTensor = HalfTensor = BFloat16Tensor = LongTensor = IntTensor = BoolTensor = Tensor
Generator = type("Generator", (), {})
ScriptObject = type("ScriptObject", (), {})

_SUBMODULES = frozenset(
    "nn library fx cuda utils types _guards _inductor _higher_order_ops _subclasses _library _dynamo compiler distributed version "
    "backends autograd _prims testing profiler export func fft linalg special sparse quantization multiprocessing overrides storage "
    "amp random serialization _tensor_str _prims_common futures _functorch _vmap_internals package _jit_internal functional "
    "accelerator cpu jit distributions hub mps mtia return_types _logging nested optim xpu signal ao quasirandom masked _dispatch "
    "_custom_op _custom_ops _export _refs _decomp _meta_registrations _utils _utils_internal _C".split()
)


_HIGHER_ORDER = {"cond": "torch._higher_order_ops.cond", "vmap": "torch._functorch.apis"}


def __getattr__(name):
    import importlib

    if name in _SUBMODULES:
        return importlib.import_module(f"torch.{name}")
    module = _HIGHER_ORDER.get(name)
    found = getattr(importlib.import_module(module), name) if module else _functions.lookup(name)
    if found is None:
        from ._names import OTHER

        if name not in OTHER:
            raise AttributeError(f"module 'torch' has no attribute '{name}'")
        from _fusescope import stubs

        found = stubs.missing("torch", name)
    globals()[name] = found
    return found


class finfo:
    """The limits of a floating-point dtype."""

    def __init__(self, type=None):
        dtype = get_default_dtype() if type is None else type
        if not isinstance(dtype, globals()["dtype"]):
            raise TypeError(f"finfo(): argument 'type' (position 1) must be torch.dtype, not {_types.bare(dtype)}")
        name = dtype.to_real()._name
        if name not in _FINFO:
            if dtype.is_floating_point:
                raise RuntimeError(f"\"lowest\" not implemented for '{name.capitalize()}'")
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        self.bits, self.max, self.tiny, self.eps, self.resolution, *low = _FINFO[name]
        self.min = low[0] if low else -self.max
        self.smallest_normal, self.dtype = self.tiny, name

    def __repr__(self):
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.tiny:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )

    def __eq__(self, other):
        return isinstance(other, finfo) and other.dtype == self.dtype

    def __hash__(self):
        return hash(self.dtype)


# bits, max, tiny, eps, resolution, and min if it is not -max; values of PyTorch 2.14.1
_FINFO = {
    "float64": (64, 1.7976931348623157e308, 2.2250738585072014e-308, 2.220446049250313e-16, 1e-15),
    "float32": (32, 3.4028234663852886e38, 1.1754943508222875e-38, 1.1920928955078125e-07, 1e-06),
    "float16": (16, 65504.0, 6.103515625e-05, 0.0009765625, 0.001),
    "bfloat16": (16, 3.3895313892515355e38, 1.1754943508222875e-38, 0.0078125, 0.01),
    "float8_e4m3fn": (8, 448.0, 0.015625, 0.125, 1.0),
    "float8_e5m2": (8, 57344.0, 6.103515625e-05, 0.25, 1.0),
    "float8_e4m3fnuz": (8, 240.0, 0.0078125, 0.125, 1.0),
    "float8_e5m2fnuz": (8, 57344.0, 3.0517578125e-05, 0.125, 1.0),
    "float8_e8m0fnu": (8, 1.7014118346046923e38, 5.877471754111438e-39, 1.0, 1.0, 5.877471754111438e-39),
}


class iinfo:
    """The limits of an integer dtype."""

    def __init__(self, type):
        if not isinstance(type, dtype):
            raise TypeError(f"iinfo(): argument 'type' (position 1) must be torch.dtype, not {_types.bare(type)}")
        if type._name == "bool":
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if type._name not in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.dtype, self.bits = type._name, type.itemsize * 8
        self.min = -(2 ** (self.bits - 1)) if type.is_signed else 0
        self.max = 2 ** (self.bits - (1 if type.is_signed else 0)) - 1

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def compile(model=None, **kwargs):
    """Compiles nothing: patterns, and a user-defined backend, run on the shown graph."""
    from torch._dynamo.backends import registry

    registry.given(kwargs.get("backend"))
    return model if model is not None else (lambda fn: fn)


def get_default_dtype():
    from ._factories import default_dtype

    return default_dtype[0]


def set_default_dtype(d):
    from ._factories import default_dtype

    default_dtype[0] = d


def set_default_device(d):
    _types.default_devices[:] = [] if d is None else [device(d)]


def manual_seed(seed):
    return Generator()


def promote_types(a, b):
    return (empty(1, dtype=a) + empty(1, dtype=b)).dtype


def is_inference_mode_enabled():
    return False


def typename(obj):
    if isinstance(obj, Tensor):
        return obj.type()
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    name = kind.__qualname__
    if kind.__module__ == "torch" and type(kind).__name__ == "function":
        name = f"_VariableFunctionsClass.{name}"
    return f"{kind.__module__}.{name}" if kind.__module__ != "builtins" else name


def get_device_module(device=None):
    return __getattr__("cuda")


def _checker(kind):
    def check(condition, message=None):
        if not condition:
            default = "Expected cond to be True, but got False. (Could this error message be improved? If so, please report an enhancement request to PyTorch.)"
            raise kind(default if message is None else str(message()) if callable(message) else message)

    return check


def _assert(condition, message):
    if _overrides.has_torch_function_unary(condition):
        return _overrides.handle_torch_function(_assert, (condition,), condition, message)
    assert condition, message


_check, _check_index, _check_value, _check_type, _check_not_implemented = map(
    _checker, (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError)
)


def _check_is_size(i, message=None, *, max=None):
    _check(i >= 0, message)


_homes.settle_all(globals(), __name__)
