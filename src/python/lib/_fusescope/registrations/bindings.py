"""The variables that distinguish a registration from its siblings: closures, the instance behind them, and the loops
around the call."""

import functools
import itertools
import types
from collections.abc import Callable
from typing import Any

from .. import frames
from ..source import user_syntax
from . import value_text

_MOST = 64
_made = itertools.count()
_MOST_CODES = 256
_known = {}
_DEEPEST = 3


def of(search: Callable, *others: Any) -> dict:
    """The context of a registration, as data:

    - title: the class whose method made the function (`Pattern.register.<locals>.pattern` → Pattern), or its name
    - definition: [name, file, line] of the function's code where no class made it
    - order: counts registrations
    - calls: the lines of user code that led to the registration, as one text
    - bindings: closure variables, bound arguments and the instance's attributes that are plain values
    - loops: [[[name, text]]], the variables of each loop around the call, outermost first
    - details: further values that may distinguish registrations (functions, fields of objects, arguments of callers)
    """
    value_text.forget()
    try:
        return _context(search, others)
    finally:
        value_text.forget()


def _context(search, others):
    owner = next((o for o in map(_instance, (search, *others)) if o is not None), None)
    own, details = {}, {}
    for fn in (search, *others):
        for name, value in _captured(fn):
            if owner is None or value is not owner:
                _put(name, value, own, details)
    if owner is not None:
        for name, value in value_text.attributes(owner):
            _put(name, value, details if name.startswith("_") else own, details)
    loops = _around(details)
    return {
        "title": _title(search, owner),
        "definition": None if owner is not None else _definition(search),
        "order": next(_made),
        "calls": " ".join(f"{f.f_code.co_filename}:{f.f_lineno}" for f in frames.user_frames()),
        "bindings": own,
        "loops": loops,
        "details": dict(itertools.islice(details.items(), _MOST)),
    }


def _put(name, value, plain, details):
    for label, shown in value_text.flat(name, value):
        if label not in plain:
            into = plain if label == name and not callable(value) else details
            into.setdefault(label, shown)


def _title(fn, owner):
    if owner is not None:
        return owner.__name__ if isinstance(owner, type) else type(owner).__name__
    while isinstance(fn, functools.partial):
        fn = fn.func
    name = getattr(fn, "__qualname__", None) or type(fn).__name__
    return name.split(".<locals>")[0].replace("<lambda>", "lambda")


def _definition(fn):
    while isinstance(fn, functools.partial):
        fn = fn.func
    code = getattr(fn, "__code__", None)
    if code is None or not code.co_filename.startswith(frames.WORKSPACE):
        return None
    return [code.co_name, code.co_filename[len(frames.WORKSPACE) :], code.co_firstlineno]


def _captured(fn, depth=0):
    """(name, value) of a function's bound arguments, defaults and closure, including the closures of functions in
    it."""
    while isinstance(fn, functools.partial):
        names = list(getattr(getattr(fn.func, "__code__", None), "co_varnames", ()))
        yield from zip(names + [f"argument {i}" for i in range(len(names), len(fn.args))], fn.args)
        yield from fn.keywords.items()
        fn = fn.func
    fn = getattr(fn, "__func__", fn)
    code = getattr(fn, "__code__", None)
    if code is None:
        return
    defaults = fn.__defaults__ or ()
    yield from zip(code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount], defaults)
    yield from (fn.__kwdefaults__ or {}).items()
    held = list(_closure(fn))
    yield from held
    if depth < _DEEPEST:
        inner = [v for _, v in held if type(v) in (types.FunctionType, types.MethodType) and v is not fn]
        for value in [*inner, *([fn.__wrapped__] if hasattr(fn, "__wrapped__") else [])]:
            yield from _captured(value, depth + 1)


def _closure(fn):
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
        try:
            yield name, cell.cell_contents
        except ValueError:
            pass


def _instance(fn):
    """The object whose method is the function or created it; the class, for class methods."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    bound = getattr(fn, "__self__", None)
    if bound is not None:
        return bound
    if not hasattr(fn, "__code__"):
        return fn if hasattr(fn, "__dict__") and not isinstance(fn, type) else None
    held = dict(_closure(fn))
    maker = fn.__qualname__.split(".")[0]
    for name, value in held.items():
        made = value if issubclass(type(value), type) else type(value)
        if name == "self" or made.__name__ == maker:
            return value
    return None


def _around(details):
    """The loops around the call. Their assignments, and the arguments of the functions between, are added to
    details."""
    loops = {}
    for frame in reversed(list(frames.user_frames())):
        here, code = frame.f_locals, frame.f_code
        for names, assigned in user_syntax.loops_at(code.co_filename, _place(frame)):
            pairs = [p for n in names if n in here for p in value_text.flat(n, here[n])]
            if pairs:
                loops[(code, tuple(names))] = [list(p) for p in pairs]
            _details(assigned, here, details)
        _details(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], here, details)
    return list(loops.values())


def _details(names, values, details):
    for name in names:
        if name in values and name not in ("self", "cls"):
            for label, shown in value_text.flat(name, values[name]):
                details.setdefault(label, shown)


def _place(frame):
    """(line, column) of the current expression of a frame."""
    line, _, column, _ = _positions(frame.f_code)[frame.f_lasti // 2]
    return (line or frame.f_lineno, column or 0)


def _positions(code):
    # By identity: hashing a code object reads all of its contents each time.
    known = _known.get(id(code))
    if known is None or known[0] is not code:
        if len(_known) > _MOST_CODES:
            _known.clear()
        known = _known[id(code)] = (code, list(code.co_positions()))
    return known[1]
