import importlib
import sys
import types

from _fusescope import partial_modules as _partial
from .auto_functionalize import auto_functionalized, auto_functionalized_v2  # noqa: F401

_FUNCTIONS = ("associative_scan", "cond", "map", "scan", "while_loop")
_other = _partial.of_pytorch(__name__)


def __getattr__(name):
    # Imported where they are used: the memory snapshot of Python has little room.
    return getattr(importlib.import_module(f"{__name__}.{name}"), name) if name in _FUNCTIONS else _other(name)


class _Package(types.ModuleType):
    """An import of `scan.py` leaves `scan` the function, as in PyTorch."""

    def __setattr__(self, name, value):
        if name not in _FUNCTIONS or not isinstance(value, types.ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
