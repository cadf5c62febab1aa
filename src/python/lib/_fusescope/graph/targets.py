"""Maps Node.target names to functions and back."""

import importlib
import importlib.util
import re
import sys
from typing import Any

from ..stubs import Stub
from . import dialects


def function(name: str) -> Any:
    """The function or operator that Node.target names."""
    if name in _users:
        return _users[name]
    if (found := dialects.operator(name)) is not None:
        return found
    if name.startswith("python:"):  # a user function, inserted by a lowering pattern
        module, _, attr = name.removeprefix("python:").rpartition(".")
        found = getattr(sys.modules.get(module), attr, None)
        return _users.setdefault(name, Absent(name)) if found is None else found
    if not name.startswith(("operator.", "_operator.", "torch.", "math.", "builtins.")):
        from torch._ops import overload_named

        return overload_named(name)
    found = _found(name)
    return _users.setdefault(name, Absent(name)) if found is None else found


def _found(name):
    """The function, or None."""
    root, *path = name.split(".")
    value = importlib.import_module(root)
    for i, part in enumerate(path):
        try:
            value = getattr(value, part)
        except AttributeError:
            module = ".".join([root, *path[: i + 1]])
            if importlib.util.find_spec(module) is None:
                return None
            value = importlib.import_module(module)
    return value


class Absent:
    """A function that the graph names and no file defines: it compares by name and cannot be called."""

    def __init__(self, name):
        self.__module__, _, self.__name__ = name.removeprefix("python:").rpartition(".")
        self.__qualname__ = self.__name__

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(f"the graph calls {self!r}, which no file defines")

    def __repr__(self):
        return f"{self.__module__}.{self.__name__}"


def fn_name(f: Any) -> str:
    """The Node.target name of a function: `aten.add.Tensor`, `operator.getitem`, `torch.functional.split`."""
    if isinstance(f, str):
        return f
    name = getattr(f, "_fusescope_op", None)
    if isinstance(name, str):
        return name
    if isinstance(f, Stub):
        module, name = _home_of_class(f._module, f._name)
    else:
        module = getattr(f, "__module__", None) or "builtins"
        name = getattr(f, "__qualname__", None) or type(f).__name__
    if module in ("builtins", "math", "_operator", "torch") or module.startswith("torch."):
        return f"{'operator' if module == '_operator' else module}.{name}"
    return _users_name(module, f)


def _home_of_class(module, name):
    if module != "torch.nn":
        return module, name
    from torch.nn.modules import defining_module

    return defining_module(name), name


_users = {}  # the name of a target → the function that this run put into a graph


def _users_name(module, f):
    """The name of a function outside torch. Two functions of one name have different targets."""
    base = f"python:{module}.{getattr(f, '__name__', None) or type(f).__name__}"
    name, count = base, 1
    while _users.setdefault(name, f) is not f:
        count += 1
        name = f"{base}#{count}"
    return name


def snake(name: str) -> str:
    """Graph's form of a function's name: `BatchNorm` → `batch_norm`."""
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
