"""Python functions by number, by which the engine refers to them, and the names of their inputs."""

import inspect
from typing import Any

_all = []
_numbers = {}  # by identity, for callables with a stable number; they stay alive in _all


def number(fn: Any) -> int:
    _all.append(fn)
    return len(_all) - 1


def lasting_number(fn: Any) -> int:
    """A stable number for a callable."""
    if id(fn) not in _numbers:
        _numbers[id(fn)] = number(fn)
    return _numbers[id(fn)]


def get(n: int) -> Any:
    return _all[n]


def all_of() -> list:
    return _all


def input_names(fn: Any, count: int) -> list[str]:
    """Names of fn's inputs in make_fx: its parameters, or arg0, arg1, … for a callable without its own code."""
    code = getattr(inspect.unwrap(fn), "__code__", None)
    if code is not None and not code.co_flags & inspect.CO_VARARGS:
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if len(names) == count:
            return list(names)
    return [f"arg{i}" for i in range(count)]
