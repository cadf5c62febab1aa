"""torch.empty and the others that make tensors: size spellings, and the keywords that torch's bindings add."""

import math
import struct

from _fusescope import bridge, engine, frames, wire

from . import overrides
from ._calls import sizes as _sizes
from ._tensor import Tensor
from ._tensor.late_functions import later
from ._types import SymInt, bare, default_devices, device as Device, dtype as DType, layout as _layout

default_dtype = [DType.named("float32")]


def _keywords(kwargs, pin=True, name="empty"):
    out = {}
    if kwargs.get("dtype") is not None:
        if not isinstance(kwargs["dtype"], DType):
            raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {bare(kwargs['dtype'])}")
        out["dtype"] = kwargs["dtype"]
    if kwargs.get("layout") is not None:
        out["layout"] = kwargs["layout"]
    device = kwargs.get("device")
    out["device"] = (
        Device(device) if device is not None else (default_devices[-1] if default_devices else Device("cpu"))
    )
    if pin:
        out["pin_memory"] = bool(kwargs.get("pin_memory", False))
    if kwargs.get("memory_format") is not None:
        out["memory_format"] = kwargs["memory_format"]
    return out


def _finish(made, kwargs):
    return made.requires_grad_() if kwargs.get("requires_grad") else made


def _made(name, args, kwargs, out_name="out", keywords=_keywords):
    """The call of a factory, or of its overload that writes to the caller's tensor."""
    out = kwargs.get("out")
    if out is None:
        return _finish(bridge.op(name, args, keywords(kwargs)), kwargs)
    return bridge.op(f"{name.rpartition('.')[0]}.{out_name}", args, {"out": out})


def _sized(name):
    def factory(*size, **kwargs):
        if not size and "size" not in kwargs:
            raise TypeError(missing)
        size = _sizes(size) if size else _sizes((kwargs.get("size", ()),))
        if [d for d in size if type(d) is not int]:
            if not all(isinstance(d, (int, SymInt)) or isinstance(d, Tensor) and d._value is not None for d in size):
                wrong = next(d for d in size if not isinstance(d, (int, SymInt)))
                raise TypeError(f"{short}(): argument 'size' (position 1) must be tuple of ints, not {bare(wrong)}")
            size = [int(d) if isinstance(d, Tensor) else d for d in size]
        return _made(name, (size,), kwargs, keywords=lambda given: _keywords(given, name=short))

    short = factory.__name__ = factory.__qualname__ = name.split(".")[1]
    missing = f'{short}() missing 1 required positional arguments: "size"'
    return overrides.overridable(factory)


empty = _sized("aten.empty.memory_format")
zeros = _sized("aten.zeros.default")
ones = _sized("aten.ones.default")
rand = _sized("aten.rand.default")
randn = _sized("aten.randn.default")


def full(size, fill_value, **kwargs):
    return _made("aten.full.default", (list(size), fill_value), kwargs)


def empty_strided(size, stride, **kwargs):
    made = bridge.op("aten.empty_strided.default", (list(size), list(stride)), _keywords(kwargs))
    return _finish(made, kwargs)


def empty_permuted(size, physical_layout, **kwargs):
    return bridge.op("aten.empty_permuted.default", (list(size), list(physical_layout)), _keywords(kwargs))


def arange(*args, **kwargs):
    start, end, step = kwargs.pop("start", None), kwargs.pop("end", None), kwargs.pop("step", None)
    args = list(args) + ([start] if start is not None else []) + ([end] if end is not None else [])
    if step is not None:
        args = ([0] if len(args) == 1 else []) + args + [step]
    overload = {1: "default", 2: "start", 3: "start_step"}[len(args)]
    return _made(f"aten.arange.{overload}", tuple(args), kwargs, "out" if len(args) == 1 else "start_out")


def range(start, end, step=1, **kwargs):
    options = {"dtype": default_dtype[0], "layout": _layout.named("strided"), **_keywords(kwargs, pin=False)}
    return bridge.op("aten.range.step", (start, end, step), options)


def linspace(start, end, steps, **kwargs):
    return _made("aten.linspace.default", (start, end, steps), kwargs)


def eye(n, m=None, **kwargs):
    return _made("aten.eye.default", (n,), kwargs) if m is None else _made("aten.eye.m", (n, m), kwargs, "m_out")


def randperm(n, **kwargs):
    return _made("aten.randperm.default", (n,), kwargs)


def randint(low, high=None, size=None, **kwargs):
    if size is None:
        return _made("aten.randint.default", (low, list(high)), kwargs)
    return _made("aten.randint.low", (low, high, list(size)), kwargs, "low_out")


def _like(name):
    def factory(input, *args, **kwargs):
        given = {
            k: v for k, v in kwargs.items() if v is not None and k in ("dtype", "layout", "device", "memory_format")
        }
        if "device" in given:
            given["device"] = Device(given["device"])
        # torch's bindings always pass pin_memory when they build options.
        given["pin_memory"] = bool(kwargs.get("pin_memory", False))
        return _finish(bridge.op(name, (input, *args), given), kwargs)

    factory.__name__ = factory.__qualname__ = name.split(".")[1]
    return overrides.overridable(factory)


empty_like = _like("aten.empty_like.default")
zeros_like = _like("aten.zeros_like.default")
ones_like = _like("aten.ones_like.default")
full_like = _like("aten.full_like.default")
rand_like = _like("aten.rand_like.default")
randn_like = _like("aten.randn_like.default")


def tensor(data, dtype=None, device=None, requires_grad=False, **kwargs):
    """A constant with known values, which the tracer keeps because patterns compare them."""
    if isinstance(data, Tensor):
        return data.clone().detach().to(dtype=dtype, device=device)
    if hasattr(data, "tolist"):
        data = data.tolist()
    flat, shape = [], []
    _walk(data, shape, 0, flat)
    if dtype is None:
        dtype = _inferred(flat)
    values = _cast(data, dtype)
    where = Device(device) if device is not None else (default_devices[-1] if default_devices else Device("cpu"))
    place = frames.user_place()
    made = wire.decode(engine.constant(dtype._name, shape, where.type, where.index, wire.encode(values), place))
    made._value = values
    return made.requires_grad_() if requires_grad else made


def as_tensor(data, dtype=None, device=None):
    return data.to(dtype=dtype, device=device) if isinstance(data, Tensor) else tensor(data, dtype, device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    made = as_tensor(obj, dtype, device)
    made = made.clone() if copy and made is obj else made
    return made.requires_grad_() if requires_grad else made


def scalar_tensor(s, **kwargs):
    return bridge.op("aten.scalar_tensor.default", (s,), _keywords(kwargs))


def _walk(data, shape, depth, flat):
    if isinstance(data, (list, tuple)):
        if len(shape) == depth:
            shape.append(len(data))
        elif shape[depth] != len(data):
            raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})")
        for item in data:
            _walk(item, shape, depth + 1, flat)
    elif isinstance(data, Tensor):
        flat.append(data.item())
    elif isinstance(data, (bool, int, float, complex)):
        flat.append(data)
    else:
        raise RuntimeError(f"Could not infer dtype of {bare(data)}")


def _inferred(flat):
    if any(isinstance(v, complex) for v in flat):
        return DType.named("complex64")
    if not flat or any(isinstance(v, float) for v in flat):
        return default_dtype[0]
    return DType.named("bool" if all(isinstance(v, bool) for v in flat) else "int64")


_MANTISSA = {"bfloat16": 8, "float16": 11, "float32": 24}


def _rounded(value, dtype):
    """A float rounded to the mantissa of the dtype."""
    digits = _MANTISSA.get(dtype._name)
    if digits is None or not math.isfinite(value) or value == 0:
        return value
    if dtype._name == "float32":
        return struct.unpack("f", struct.pack("f", value))[0]
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(mantissa, digits)), exponent - digits)


def _cast(data, dtype):
    if isinstance(data, (list, tuple)):
        return [_cast(v, dtype) for v in data]
    if dtype.is_floating_point:
        return _rounded(float(data), dtype)
    return bool(data) if dtype._name == "bool" else int(data)


later["tensor"], later["empty"] = tensor, empty
