"""The arguments of a symbolic trace that are not inputs, and functions of * parameters."""

import inspect
import types

STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class PHBase:
    """Marks an argument in concrete_args that stays an input."""

    def __repr__(self):
        return "PH"


PH = PHBase()


class PHWithMeta(PHBase):
    def __init__(self, ph_key=None):
        self.ph_key = ph_key


def transfer_attrs(fr, to):
    for name in dir(fr):
        value = getattr(fr, name)
        if not callable(value) and not name.startswith("__") and not hasattr(to, name):
            setattr(to, name, value)


def by_position(fn, count):
    """The function with its * parameters as plain ones."""
    code = fn.__code__
    plain = code.replace(
        co_argcount=count, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=code.co_flags & ~STARRED
    )
    return types.FunctionType(plain, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
