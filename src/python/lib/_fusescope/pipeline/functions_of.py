"""The functions that the user's modules define themselves."""

import inspect
import types

from .. import frames

# Names in a message.
_MOST = 20


def own(modules: list) -> list:
    """Those that a module defines by their names, decorated or not."""
    return [value for module in modules for value in vars(module).values() if _is_function_of(module, value)]


def defined(modules: list) -> list[str]:
    """What the modules define, for a message that nothing of it is a pass: `def f(x, y) at a.py:3`."""
    found = []
    for module in modules:
        for value in vars(module).values():
            place = frames.place_of(value) if _is_function_of(module, value) else None
            if place is not None:
                code = inspect.unwrap(value).__code__
                found.append(
                    f"def {value.__name__}({', '.join(code.co_varnames[: code.co_argcount])}) at {place[0]}:{place[1]}"
                )
            elif isinstance(value, type) and value.__module__ == module.__name__:
                place = frames.place_of_class(value)
                found.append(f"class {value.__name__} at {place[0]}:{place[1]}")
    return found[:_MOST]


def wrapped(modules: list) -> list[tuple]:
    """[(name, wrapper, function)] of functions under a decorator that does not name what it wraps: functools.wraps is missing."""
    return [found for module in modules for found in _wrapped_in(module)]


def _wrapped_in(module):
    for name, value in vars(module).items():
        if isinstance(value, types.FunctionType) and frames.is_users(value) and value.__name__ != name:
            for inner in inspect.getclosurevars(value).nonlocals.values():
                if _is_function_of(module, inner) and inner.__name__ == name:
                    yield name, value, inner


def _is_function_of(module, value):
    function = inspect.unwrap(value) if isinstance(value, types.FunctionType) else None
    return (
        isinstance(function, types.FunctionType)
        and function.__module__ == module.__name__
        and frames.is_users(function)
    )
