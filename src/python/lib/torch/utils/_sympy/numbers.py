"""torch.utils._sympy.numbers: an integer above all others, and its negative."""

import functools


@functools.total_ordering
class _Infinity:
    def __init__(self, sign):
        self._sign = sign

    def __lt__(self, other):
        if isinstance(other, _Infinity):
            return self._sign < other._sign
        return other == float("inf") if self._sign > 0 else other != -float("inf")

    def __eq__(self, other):
        return isinstance(other, _Infinity) and self._sign == other._sign

    def __hash__(self):
        return hash(("int_oo", self._sign))

    def __neg__(self):
        return negative if self is positive else positive

    def __abs__(self):
        return positive

    def _absorbs(self, other):
        if isinstance(other, _Infinity) and other is not self:
            raise ValueError("int_oo - int_oo has no value")
        return self

    __add__ = __radd__ = _absorbs

    def __sub__(self, other):
        return self._absorbs(-other)

    def __rsub__(self, other):
        return (-self)._absorbs(other)

    def _times(self, other):
        if other == 0:
            raise ValueError("0 * int_oo has no value")
        return self if other > 0 else -self

    __mul__ = __rmul__ = _times

    def __repr__(self):
        return "int_oo" if self._sign > 0 else "-int_oo"


class IntInfinity(_Infinity):
    pass


class NegativeIntInfinity(_Infinity):
    pass


positive, negative = IntInfinity(1), NegativeIntInfinity(-1)
int_oo = positive
