"""numpy's scalars, constants and functions of numbers, which patterns compute constants with; no arrays."""

import math
from math import e, inf, nan, pi  # noqa: F401
import struct

from _fusescope import stubs

newaxis = None


class generic:
    """Base of the scalar types."""

    @property
    def dtype(self):
        return type(self)

    def item(self):
        return float(self) if isinstance(self, float) else int(self)


class floating(generic):
    pass


class integer(generic):
    pass


class float64(float, floating):
    pass


class float32(float, floating):
    def __new__(cls, value=0.0):
        return float.__new__(cls, struct.unpack("f", struct.pack("f", value))[0])


class float16(float, floating):
    def __new__(cls, value=0.0):
        return float.__new__(cls, struct.unpack("e", struct.pack("e", value))[0])


def _integer(name):
    return type(name, (int, integer), {"__module__": "numpy"})


int8, int16, int32, int64 = map(_integer, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(_integer, ("uint8", "uint16", "uint32", "uint64"))
double, single, half, bool_ = float64, float32, float16, bool


def _of_numbers(name, function):
    def call(*values):
        if not all(isinstance(v, (int, float)) for v in values):
            raise NotImplementedError(f"Fusescope's numpy.{name} takes numbers only")
        return float64(function(*values))

    call.__name__ = name
    return call


sqrt, exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, tanh, sinh, cosh, floor, ceil = (
    _of_numbers(n, getattr(math, n, None) or (lambda v: 2.0**v))
    for n in "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan tanh sinh cosh floor ceil".split()
)
power, square, reciprocal = (
    _of_numbers("power", pow),
    _of_numbers("square", lambda v: v * v),
    _of_numbers("reciprocal", lambda v: 1 / v),
)
abs = absolute = _of_numbers("absolute", abs)
maximum, minimum = _of_numbers("maximum", max), _of_numbers("minimum", min)
deg2rad, rad2deg = _of_numbers("deg2rad", math.radians), _of_numbers("rad2deg", math.degrees)


def prod(values):
    """The product of a sequence of numbers."""
    made = math.prod(values)
    return float64(made) if isinstance(made, float) else int64(made)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'numpy' has no attribute '{name}'")
    return stubs.missing("numpy", name)
