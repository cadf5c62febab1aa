"""Tensor.new_empty and the other methods that make a tensor like `self`."""

from _fusescope import bridge

from .late_functions import later
from .._calls import sizes as _sizes
from .._types import device as Device


class Factories:
    __slots__ = ()

    def new_empty(self, *size, **kwargs):
        return self._new("new_empty", size, kwargs)

    def new_zeros(self, *size, **kwargs):
        return self._new("new_zeros", size, kwargs)

    def new_ones(self, *size, **kwargs):
        return self._new("new_ones", size, kwargs)

    def new_full(self, size, fill_value, **kwargs):
        return _finish(bridge.op("aten.new_full.default", (self, list(size), fill_value), _options(kwargs)), kwargs)

    def new_empty_strided(self, size, stride, **kwargs):
        made = bridge.op("aten.new_empty_strided.default", (self, list(size), list(stride)), _options(kwargs))
        return _finish(made, kwargs)

    def new_tensor(self, data, dtype=None, device=None, requires_grad=False):
        return later["tensor"](data, dtype or self.dtype, device or self.device, requires_grad)

    def _new(self, name, size, kwargs):
        size = _sizes(size if size else (kwargs.pop("size"),))
        return _finish(bridge.op(f"aten.{name}.default", (self, size), _options(kwargs)), kwargs)


def _options(kwargs):
    """Keywords of new_empty and similar, as torch's bindings pass them, always with pin_memory."""
    out = {k: v for k, v in kwargs.items() if v is not None and k in ("dtype", "layout", "device")}
    if "device" in out:
        out["device"] = Device(out["device"])
    out["pin_memory"] = bool(kwargs.get("pin_memory", False))
    return out


def _finish(made, kwargs):
    return made.requires_grad_() if kwargs.get("requires_grad") else made
