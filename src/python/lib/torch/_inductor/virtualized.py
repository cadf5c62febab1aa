"""torch._inductor.virtualized: V, of which a pass on a graph has the fake mode, and ops without a kernel: their calls are texts. The
rest is of Inductor's lowering."""

import contextlib

from _fusescope import partial_modules as _partial


class _Virtualized:
    @property
    def fake_mode(self):
        from torch._subclasses.fake_tensor import FakeTensorMode

        return FakeTensorMode()

    def get_fake_mode(self):
        return self.fake_mode

    @contextlib.contextmanager
    def set_fake_mode(self, mode):
        yield mode

    def __getattr__(self, name):
        raise NotImplementedError(
            f"Fusescope has no V.{name}: it is of Inductor's lowering, after the passes on the graph"
        )


V = _Virtualized()


class OpsValue:
    """A value of a kernel: an operation on it is a call of ops."""

    def __init__(self, value):
        self.value = value

    def __str__(self):
        return str(self.value)

    def __repr__(self):
        return f"OpsValue({self.value!r})"


# The operations of a kernel that Python's signs write, with the name that ops has for each.
_SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "xor": "^",
    "or_": "|",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "gt": ">",
    "le": "<=",
    "ge": ">=",
}
_NAMES = {
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
}
for _sign in (name.rstrip("_") for name in _SIGNS):
    setattr(OpsValue, f"__{_sign}__", lambda self, other, n=_NAMES.get(_sign, _sign): getattr(ops, n)(self, other))
OpsValue.__neg__ = lambda self: ops.neg(self)
OpsValue.__invert__ = lambda self: ops.bitwise_not(self)


def _plain(value):
    if isinstance(value, (list, tuple)):
        return tuple(map(_plain, value))
    return value.value if isinstance(value, OpsValue) else value


class OpsWrapper:
    """Outside of a kernel, `ops.add(x, y)` is the text of the call."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*args, **kwargs):
            if name in _SIGNS and len(args) == 2:
                return OpsValue(f"{_plain(args[0])} {_SIGNS[name]} {_plain(args[1])}")
            if name == "neg" and len(args) == 1:
                return OpsValue(f"-{_plain(args[0])}")
            given = [str(_plain(a)) for a in args] + [f"{k}={_plain(v)}" for k, v in kwargs.items()]
            return OpsValue(f"ops.{name}({', '.join(given)})")

        return call


ops = OpsWrapper()

__getattr__ = _partial.of_pytorch(__name__, listed=False)
