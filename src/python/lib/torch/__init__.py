"""torch, as a fusion pass sees it: fake tensors, operators, registration. Written for Fusescope; not PyTorch."""
import sys as _sys

from . import _types
from ._types import ALIASES as _ALIASES, Size, SymBool, SymFloat, SymInt, device, dtype, layout, memory_format
from ._tensor import Tensor
from ._ops import ops
from ._factories import (
    arange, as_tensor, empty, empty_like, empty_permuted, empty_strided, eye, full, full_like, linspace, ones,
    ones_like, rand, rand_like, randint, randn, randn_like, scalar_tensor, tensor, zeros, zeros_like,
)
from . import _functions

__version__ = "2.14.1+fusescope"

for _name in list(_types._DTYPES):
    globals()[_name] = _types._DTYPES[_name]
for _name, _target in _ALIASES.items():
    globals()[_name] = _types._DTYPES[_target]
for _name in ("strided", "jagged", "sparse_coo", "sparse_csr", "_mkldnn"):
    globals()[_name] = layout.named(_name)
for _name in ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d"):
    globals()[_name] = memory_format.named(_name)

inf, nan, pi, e = float("inf"), float("nan"), 3.141592653589793, 2.718281828459045
FloatTensor = HalfTensor = BFloat16Tensor = LongTensor = IntTensor = BoolTensor = Tensor
Generator = type("Generator", (), {})
ScriptObject = type("ScriptObject", (), {})

_SUBMODULES = frozenset(
    "nn library fx cuda utils _inductor _higher_order_ops _subclasses _library _dynamo compiler distributed version "
    "backends autograd _prims".split()
)


def __getattr__(name):
    if name in _SUBMODULES:
        import importlib

        return importlib.import_module(f"torch.{name}")
    found = _functions.lookup(name)
    if found is None:
        if name.startswith("__"):
            raise AttributeError(name)
        from _fusescope import stubs

        found = stubs.missing("torch", name)
    globals()[name] = found
    return found


class _FInfo:
    """The numbers of torch.finfo, from each format's widths of exponent and mantissa."""

    def __init__(self, dtype, bits, maximum, tiny, eps, smallest):
        self.dtype, self.bits, self.max, self.min, self.tiny, self.eps = dtype, bits, maximum, -maximum, tiny, eps
        self.smallest_normal, self.smallest_subnormal, self.resolution = tiny, smallest, eps

    def __repr__(self):
        return f"finfo(max={self.max}, min={self.min}, eps={self.eps}, tiny={self.tiny}, dtype={self.dtype})"


_FINFO = {
    "float64": (64, 1.7976931348623157e308, 2.2250738585072014e-308, 2.220446049250313e-16, 5e-324),
    "float32": (32, 3.4028234663852886e38, 1.1754943508222875e-38, 1.1920928955078125e-07, 1.401298464324817e-45),
    "float16": (16, 65504.0, 6.103515625e-05, 0.0009765625, 5.960464477539063e-08),
    "bfloat16": (16, 3.3895313892515355e38, 1.1754943508222875e-38, 0.0078125, 9.183549615799121e-41),
    "float8_e4m3fn": (8, 448.0, 0.015625, 0.125, 0.001953125),
    "float8_e5m2": (8, 57344.0, 6.103515625e-05, 0.25, 1.52587890625e-05),
    "float8_e4m3fnuz": (8, 240.0, 0.0078125, 0.125, 0.0009765625),
    "float8_e5m2fnuz": (8, 57344.0, 3.0517578125e-05, 0.25, 7.62939453125e-06),
    "float8_e8m0fnu": (8, 1.7014118346046923e38, 5.877471754111438e-39, 1.0, 5.877471754111438e-39),
    "float4_e2m1fn_x2": (4, 6.0, 1.0, 0.5, 0.5),
}


def finfo(type=None):
    dtype = type or get_default_dtype()
    if dtype._name not in _FINFO:
        raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{dtype}'")
    return _FInfo(dtype._name, *_FINFO[dtype._name])


class iinfo:
    def __init__(self, dtype):
        if dtype.is_floating_point or dtype._name == "bool":
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{dtype}'")
        self.dtype, self.bits = dtype._name, dtype.itemsize * 8
        self.min = -(2 ** (self.bits - 1)) if dtype.is_signed else 0
        self.max = 2 ** (self.bits - (1 if dtype.is_signed else 0)) - 1


class _Decorates:
    """torch.no_grad() and its like: a context and a decorator that change nothing here."""

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    def __call__(self, fn):
        return fn


class no_grad(_Decorates):
    def __new__(cls, fn=None):
        return fn if fn is not None else object.__new__(cls)


inference_mode = enable_grad = no_grad


def compile(model=None, **kwargs):
    """Nothing is compiled here: patterns are applied to the graph that is shown."""
    return model if model is not None else (lambda fn: fn)


def get_default_dtype():
    from ._factories import default_dtype

    return default_dtype[0]


def set_default_dtype(d):
    from ._factories import default_dtype

    default_dtype[0] = d


def set_default_device(d):
    from ._factories import default_devices

    default_devices[:] = [] if d is None else [device(d)]


def manual_seed(seed):
    return Generator()


def is_grad_enabled():
    return False


def promote_types(a, b):
    return (empty(1, dtype=a) + empty(1, dtype=b)).dtype


def _check(condition, message=None):
    if not condition:
        raise RuntimeError(message() if callable(message) else (message or "Expected cond to be True, but got False."))


class Tag:
    """Operator tags, by name only."""

    def __getattr__(self, name):
        return name


Tag = Tag()
