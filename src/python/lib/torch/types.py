"""torch.types: names for annotations."""
from typing import Any, Union

from torch._types import Size as _Size, SymBool, SymFloat, SymInt, device, dtype

Number = Union[int, float, bool]
Device = Union[device, str, int, None]
Storage = Any
IntLikeType = Union[int, SymInt]
FloatLikeType = Union[float, SymFloat]
BoolLikeType = Union[bool, SymBool]
_dtype, _device, _size = dtype, device, _Size
