"""torch.types: names for annotations."""

from _fusescope import partial_modules as _partial
from typing import Any, Union

from torch._types import Size as _Size, SymBool, SymFloat, SymInt, device, dtype

Number = Union[int, float, bool]
Device = Union[device, str, int, None]
Storage = Any
IntLikeType = Union[int, SymInt]
FloatLikeType = Union[float, SymFloat]
BoolLikeType = Union[bool, SymBool]
py_sym_types = (SymInt, SymFloat, SymBool)
PySymType = Union[SymInt, SymFloat, SymBool]
_bool, _int, _float = bool, int, float
_dtype, _device, _size = dtype, device, _Size


__getattr__ = _partial.of_pytorch(__name__)
