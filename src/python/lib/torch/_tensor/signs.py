"""Tensor's operator methods: arithmetic, comparisons and bitwise operators."""

import functools

from _fusescope import bridge

from .._types import SymFloat, SymInt

_SIGNS = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "pow",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "__lshift__",
    "rshift": "__rshift__",
    "eq": "eq",
    "ne": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
}
_TEXTS = {
    **dict(add="+", sub="-", mul="*", truediv="/", floordiv="//", mod="%", pow="** or pow()", matmul="@"),
    **{"and": "&", "or": "|"},
    **dict(xor="^", lshift="<<", rshift=">>", lt="<", le="<=", gt=">", ge=">="),
}
_REFLECTED = {"add": "add", "mul": "mul"}
_IN_PLACE = ("add", "sub", "mul", "truediv", "and", "or", "xor", "pow", "floordiv", "mod", "lshift", "rshift")


class Signs:
    """Methods with a number on the left side. `_install` adds the methods that map to one operator."""

    __slots__ = ()

    def __rsub__(self, other):
        return bridge.op("aten.rsub", (self, other), {})

    def __rtruediv__(self, other):
        return self.reciprocal() * other

    def __rpow__(self, other):
        return bridge.op("aten.pow.Scalar", (other, self), {})

    def __rmod__(self, other):
        return bridge.op("aten.remainder.Scalar_Tensor", (other, self), {})

    def __invert__(self):
        if self.dtype.is_floating_point or self.dtype.is_complex:
            raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
        return bridge.op("aten.bitwise_not", (self,), {})

    def __rand__(self, other):
        return bridge.op("aten.bitwise_and", (self, other), {})

    def __ror__(self, other):
        return bridge.op("aten.bitwise_or", (self, other), {})

    def __rxor__(self, other):
        return bridge.op("aten.bitwise_xor", (self, other), {})

    def __rlshift__(self, other):
        return bridge.op("aten.bitwise_left_shift", (other, self), {})

    def __rrshift__(self, other):
        return bridge.op("aten.bitwise_right_shift", (other, self), {})

    def __pos__(self):
        return self

    def __rfloordiv__(self, other):
        return bridge.op("aten.floor_divide", (other, self), {})

    def __rmatmul__(self, other):
        return other.matmul(self)


def _binary(name, sign, prefix=""):
    operands = Signs if name == "aten.matmul" else (Signs, int, float, complex, SymInt, SymFloat)

    def method(self, other):
        if isinstance(other, operands):
            return bridge.op(name, (self, other), {})
        return _refused(sign, prefix, other)

    return method


def _reflected(method, sign):
    @functools.wraps(method)
    def reflected(self, other):
        return _refused(sign, "r", other) if other is None else method(self, other)

    return reflected


def _refused(sign, prefix, other):
    """Python's error for None, which names the class that tensors have in PyTorch's traces. Another class may define the sign itself."""
    text = _TEXTS.get(sign)
    if other is not None or text is None:
        return NotImplemented
    left, right = ("NoneType", "FakeTensor") if prefix == "r" else ("FakeTensor", "NoneType")
    if sign in ("lt", "le", "gt", "ge"):
        raise TypeError(f"'{text}' not supported between instances of '{left}' and '{right}'")
    text = text.removesuffix(" or pow()") + "=" if prefix == "i" else text
    raise TypeError(f"unsupported operand type(s) for {text}: '{left}' and '{right}'")


def _install():
    for sign in _TEXTS.keys() - _REFLECTED.keys():
        if method := vars(Signs).get(f"__r{sign}__"):
            setattr(Signs, f"__r{sign}__", _reflected(method, sign))
    for sign, op in _SIGNS.items():
        setattr(Signs, f"__{sign}__", _binary(f"aten.{op}", sign))
    for sign, op in _REFLECTED.items():
        setattr(Signs, f"__r{sign}__", _binary(f"aten.{op}", sign, "r"))
    for sign in _IN_PLACE:
        op = f"__i{sign}__" if sign.endswith("shift") else f"{_SIGNS[sign]}_"
        setattr(Signs, f"__i{sign}__", _binary(f"aten.{op}", sign, "i"))
    for sign, op in {"neg": "neg", "abs": "abs"}.items():
        setattr(Signs, f"__{sign}__", lambda self, _op=f"aten.{op}": bridge.op(_op, (self,), {}))


_install()
