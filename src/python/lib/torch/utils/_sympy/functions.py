"""torch.utils._sympy.functions: the divisions of sizes. An expression of a dump is text, so isinstance is False."""

from _fusescope import partial_modules as _partial


class _Division(type):
    def __call__(cls, base, divisor):
        return cls.of(base, divisor)


class FloorDiv(metaclass=_Division):
    of = staticmethod(lambda base, divisor: base // divisor)


class CeilDiv(metaclass=_Division):
    of = staticmethod(lambda base, divisor: -(-base // divisor))


class CleanDiv(FloorDiv):
    pass


class PythonMod(metaclass=_Division):
    of = staticmethod(lambda base, divisor: base % divisor)


class Mod(PythonMod):
    pass


class ModularIndexing(metaclass=type):
    def __new__(cls, base, divisor, modulus):
        return base // divisor % modulus


__getattr__ = _partial.of_pytorch(__name__, listed=False)
