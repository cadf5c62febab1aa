"""Counts the patterns that each user file registers, and finds registering functions that nothing calls."""

import inspect
import sys
import types

from .. import frames
from ..source import followed

_registered = {}  # file → number of patterns
_called = set()  # code objects of user functions on the stack of a registration
_INIT = frozenset(("input_device", "get_decomp_fn"))  # what init_once_fakemode passes


def add() -> None:
    """Counts one pattern for the file of the innermost user frame."""
    place = frames.user_place()
    if place is not None:
        _registered[place[0]] = _registered.get(place[0], 0) + 1
    _called.update(frame.f_code for frame in frames.user_frames())


def registered() -> dict:
    return dict(_registered)


def uncalled(modules: list) -> dict:
    """{file: [function, …]}: functions without required arguments that would register patterns, in these modules."""
    functions = [f for m in modules for f in _functions(m)]
    registering = {
        f.__name__ for f in functions if any(_registers(c) for c in followed.all_of(f.__code__))
    } | _registering_methods(modules)
    while more := {f.__name__ for f in functions if f.__name__ not in registering and registering & _names(f)}:
        registering |= more
    roots = [
        f
        for f in functions
        if f.__name__ in registering
        and (registering & _names(f) or any(_registers(c) for c in followed.all_of(f.__code__)))
    ]
    roots = [f for f in roots if f.__code__ not in _called and not _required(f)]
    below = set().union(*(_names(f) - {f.__name__} for f in roots))
    found = {}
    for f in roots:
        if f.__name__ not in below:
            found.setdefault(sys.modules[f.__module__].__file__.removeprefix(frames.WORKSPACE), []).append(f.__name__)
    return found


def _functions(module):
    """The functions that a module defines."""
    for value in vars(module).values():
        inner = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else None
        if isinstance(inner, types.FunctionType) and inner.__module__ == module.__name__:
            yield inner


def _registering_methods(modules):
    """Names of methods that register patterns; a bare `register` says too little about a call of that name."""
    classes = [c for m in modules for c in vars(m).values() if isinstance(c, type) and c.__module__ == m.__name__]
    methods = [
        (n, f)
        for c in classes
        for n, f in vars(c).items()
        if isinstance(f, types.FunctionType) and n.startswith("register_")
    ]
    return {name for name, f in methods if any(_registers(c) for c in followed.all_of(f.__code__))}


def _names(function):
    """Names that a function and the functions in it refer to."""
    return {name for code in followed.all_of(function.__code__) for name in code.co_names}


def _registers(code):
    return any(
        name.startswith(
            ("register_replacement", "gen_register_replacement", "register_graph_pattern", "register_lowering_pattern")
        )
        for name in code.co_names
    )


def _required(function):
    """Names of arguments without a default; read from the code, because a signature evaluates annotations."""
    code, defaults = function.__code__, function.__defaults__ or ()
    positional = code.co_varnames[: code.co_argcount - len(defaults)]
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return [n for n in (*positional, *keywords) if n not in (function.__kwdefaults__ or {}) and n not in _INIT]
