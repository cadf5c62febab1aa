"""torch.utils._sympy.value_ranges: bounds of a size, both included."""

import dataclasses
from typing import Generic, TypeVar

from _fusescope import partial_modules as _partial

from .numbers import int_oo


_T = TypeVar("_T")


class ValueRangeError(RuntimeError):
    pass


@dataclasses.dataclass(frozen=True)
class ValueRanges(Generic[_T]):
    lower: _T
    upper: _T

    def __post_init__(self):
        if not self.lower <= self.upper:
            raise ValueRangeError(f"Invalid ranges [{self.lower}:{self.upper}]")

    @property
    def is_bool(self):
        return isinstance(self.lower, bool)

    @property
    def is_int(self):
        return not self.is_bool and not isinstance(self.lower, float)

    @property
    def is_float(self):
        return isinstance(self.lower, float)

    def __contains__(self, x):
        other = ValueRanges.wrap(x)
        return self.lower <= other.lower and other.upper <= self.upper

    def issubset(self, other):
        return self.lower >= other.lower and self.upper <= other.upper

    def __and__(self, other):
        return ValueRanges(max(self.lower, other.lower), min(self.upper, other.upper))

    def __or__(self, other):
        return ValueRanges(min(self.lower, other.lower), max(self.upper, other.upper))

    def is_singleton(self):
        return self.lower == self.upper

    @staticmethod
    def wrap(arg):
        return arg if isinstance(arg, ValueRanges) else ValueRanges(arg, arg)

    @staticmethod
    def unknown():
        return ValueRanges(-float("inf"), float("inf"))

    @staticmethod
    def unknown_int():
        return ValueRanges(-int_oo, int_oo)

    @staticmethod
    def unknown_bool():
        return ValueRanges(False, True)

    def __str__(self):
        return f"VR[{self.lower}, {self.upper}]"

    __repr__ = __str__


__getattr__ = _partial.of_pytorch(__name__, listed=False)
