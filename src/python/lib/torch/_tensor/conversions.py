"""Conversions of a Tensor: dtype, device, memory format."""

from _fusescope import bridge

from .._types import bare, device as Device, dtype as DType, memory_format as _MemoryFormat

_contiguous = _MemoryFormat.named("contiguous_format")
_preserve = _MemoryFormat.named("preserve_format")
_TYPE_NAMES = {
    "float32": "Float",
    "float64": "Double",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "int32": "Int",
    "int64": "Long",
    "int16": "Short",
    "int8": "Char",
    "uint8": "Byte",
    "bool": "Bool",
}
_CASTS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "cfloat": "complex64",
    "cdouble": "complex128",
    "chalf": "complex32",
}


class Conversions:
    """A base of Tensor alone: an instance is a Tensor."""

    __slots__ = ()

    def to(self, *args, **kwargs):
        """The forms of Tensor.to: (dtype), (device[, dtype]), (other); then non_blocking, copy."""
        dtype, device, layout = kwargs.get("dtype"), kwargs.get("device"), None
        flags = []
        for arg in args:
            if isinstance(arg, DType):
                dtype = arg
            elif isinstance(arg, Conversions):
                dtype, device, layout = arg.dtype, arg.device, arg.layout
            elif isinstance(arg, bool):
                flags.append(arg)
            elif isinstance(arg, (Device, str, int)):
                device = arg
            elif arg is not None:
                raise TypeError(f"to() received an invalid combination of arguments - got ({type(arg).__name__})")
        if isinstance(kwargs.get("other"), Conversions):
            return self.to(kwargs["other"], *flags)
        if dtype is not None and not isinstance(dtype, DType):
            raise TypeError(f"to(): argument 'dtype' must be torch.dtype, not {bare(dtype)}")
        non_blocking = kwargs.get("non_blocking", flags[0] if flags else False)
        copy = kwargs.get("copy", flags[1] if len(flags) > 1 else False)
        memory_format = kwargs.get("memory_format")
        return self._convert(dtype, layout, device, non_blocking, copy, memory_format)

    def _convert(self, dtype=None, layout=None, device=None, non_blocking=False, copy=False, memory_format=None):
        """The tensor itself if nothing changes, else aten._to_copy with all requested arguments."""
        device = None if device is None else Device(device).with_index()
        same = (dtype is None or dtype is self.dtype) and (device is None or device == self.device.with_index())
        if same and not copy and memory_format in (None, _preserve):
            return self
        dtype = dtype or self.dtype  # the C++ form takes all options, so that the cast takes a name
        if same and not copy:
            kwargs = {"dtype": dtype, "memory_format": memory_format}
            return bridge.op("aten.to.dtype_layout", (self,), kwargs)
        asked = {
            "dtype": dtype,
            "layout": layout,
            "device": device,
            "non_blocking": non_blocking or None,
            "memory_format": memory_format,
        }
        return bridge.op("aten._to_copy.default", (self,), {k: v for k, v in asked.items() if v is not None})

    def type(self, dtype=None, non_blocking=False):
        if dtype is None:
            kind = _TYPE_NAMES.get(self.dtype._name, self.dtype._name)
            return f"torch.{'cuda.' if self.is_cuda else ''}{kind}Tensor"
        if isinstance(dtype, type):
            raise NotImplementedError("Fusescope's torch has no Tensor.type of a tensor class: give a dtype")
        return self._convert(dtype, non_blocking=non_blocking)

    def type_as(self, other):
        return self.to(other)

    def cuda(self, device=None, non_blocking=False, memory_format=None):
        device = Device("cuda", 0) if device is None else Device(device)
        return self._convert(device=device, non_blocking=non_blocking, memory_format=memory_format)

    def cpu(self, memory_format=None):
        return self._convert(device="cpu", memory_format=memory_format)

    def contiguous(self, memory_format=None):
        wanted = memory_format or _contiguous
        if self.is_contiguous(wanted):
            return self
        return bridge.op("aten.clone.default", (self,), {"memory_format": wanted})


def _cast(dtype):
    return lambda self, memory_format=None: self._convert(dtype, memory_format=memory_format)


for _name, _wanted in _CASTS.items():
    setattr(Conversions, _name, _cast(DType.named(_wanted)))
