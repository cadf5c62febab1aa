"""Partly implemented modules of torch: how their other names are resolved."""

import abc
import importlib
import importlib.machinery
import sys
from collections.abc import Callable

from . import stubs


def of_pytorch(module: str, listed: bool = True) -> Callable:
    """The `__getattr__` of a module of torch of which a part is implemented: a submodule, a stub of another name that PyTorch
    has, or AttributeError. Where the names of PyTorch are not listed, each other name is a stub."""

    def missing_name(name):
        from torch._module_names import NAMES

        if not name.startswith("__"):
            package = hasattr(sys.modules[module], "__path__")
            if package and (
                f"{module}.{name}" in sys.modules
                or importlib.machinery.PathFinder.find_spec(f"{module}.{name}", sys.modules[module].__path__)
            ):
                return importlib.import_module(f"{module}.{name}")
            if not listed or name in NAMES.get(module, "").split():
                return stubs.missing(module, name)
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return missing_name


class _Refused(abc.ABCMeta):
    """The metaclass of a partly implemented class: its other attributes are stubs."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        of = next(k for k in cls.__mro__ if "_refused" in vars(k))
        return stubs.missing(of.__module__, f"{of.__name__}.{name}")


def refused(name: str, bases: tuple = (), reason: str = "it is not implemented") -> type:
    """A class that can be named, inherited from and asked for with isinstance, but not instantiated."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"Fusescope has no {name}: {reason}")

    module, _, short = name.rpartition(".")
    return _Refused(short, bases, {"__init__": __init__, "__module__": module, "_refused": True})


def refused_functions(module: str, reason: str, *names: str) -> list[Callable]:
    """Functions of a module that can be imported; a call raises NotImplementedError with the function's name."""

    def function(name):
        def call(*args, **kwargs):
            raise NotImplementedError(f"Fusescope has no {module}.{name}: {reason}")

        call.__name__ = call.__qualname__ = name
        return call

    return [function(name) for name in names]
