"""How many patterns each of the user's files has registered, and functions that register patterns and that nobody has called."""
import inspect
import types

from .. import frames

_registered = {}  # file → number of patterns
_called = set()  # code of the user's functions below which a pattern was registered
_INIT = frozenset(("input_device", "get_decomp_fn"))  # what init_once_fakemode passes


def forget():
    _registered.clear()
    _called.clear()


def add():
    """One pattern is registered, by the innermost frame of the user's."""
    place = frames.user_place()
    if place is not None:
        _registered[place[0]] = _registered.get(place[0], 0) + 1
    _called.update(frame.f_code for frame in frames.user_frames())


def registered():
    return dict(_registered)


def uncalled(modules):
    """{file: [function, …]}: functions without required arguments that would register patterns, in these modules."""
    return {m.__file__.removeprefix(frames.WORKSPACE): names for m in modules if (names := _uncalled_in(m))}


def _uncalled_in(module):
    functions = {}
    for name, value in vars(module).items():
        inner = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else None
        if isinstance(inner, types.FunctionType) and inner.__module__ == module.__name__:
            functions[name] = inner
    registering = {n for n, f in functions.items() if any(_registers(c) for c in _codes(f.__code__))}
    while more := {n for n, f in functions.items() if n not in registering and any(registering & {*c.co_names} for c in _codes(f.__code__))}:
        registering |= more
    roots = [n for n in registering if functions[n].__code__ not in _called and not _required(functions[n])]
    below = {called for n in roots for c in _codes(functions[n].__code__) for called in c.co_names if called != n}
    return [n for n in functions if n in roots and n not in below]


def _registers(code):
    return any(name.startswith(("register_replacement", "gen_register_replacement", "register_graph_pattern", "register_lowering_pattern")) for name in code.co_names)


def _codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _required(function):
    """Names of arguments without a default; read from the code, because a signature evaluates annotations."""
    code, defaults = function.__code__, function.__defaults__ or ()
    positional = code.co_varnames[: code.co_argcount - len(defaults)]
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return [n for n in (*positional, *keywords) if n not in (function.__kwdefaults__ or {}) and n not in _INIT]
