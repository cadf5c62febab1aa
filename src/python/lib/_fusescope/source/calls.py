"""Makes a registration again by the call that made it, with its objects as they are, so that a change of that call needs no run."""

import inspect
from collections.abc import Callable
from types import CellType, CodeType, FunctionType

from .. import frames

_MOST_CALLS = 6
_NO_CALL = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

_calls = {}  # frame of a function: [its code, its globals, its arguments, its free variables, registrations that it made]
_led = {}  # by search function: the calls that led to its registration, innermost first, each with the number of the registration in it
_on = [False]
_made = [0]  # registrations that repeated calls made
_ran = None  # the code that a repeated call ran


def key(code: CodeType) -> tuple:
    """Equal for code of one place of a file in two runs."""
    return code.co_filename, code.co_qualname, code.co_firstlineno


def watch(on: bool) -> None:
    _on[0] = on
    _calls.clear()
    _led.clear()


def end() -> None:
    """The files have run."""
    _on[0] = False


def noted(search: int) -> None:
    """Keeps the calls that lead to a registration."""
    _made[0] += 1
    if not _on[0]:
        return
    led = []
    for frame in frames.user_frames():
        code = frame.f_code
        if len(led) == _MOST_CALLS or not code.co_flags & inspect.CO_NEWLOCALS or code.co_flags & _NO_CALL:
            break
        if frame not in _calls:
            here = frame.f_locals
            _calls[frame] = [code, frame.f_globals, _arguments(code, here), _taken(code.co_freevars, here), 0]
        call = _calls[frame]
        led.append((call, call[4]))
        call[4] += 1
    _led[search] = led


def again(search: int, codes: dict, left: set, in_traces: set) -> int | None:
    """Repeats the innermost call that led to the registration and runs all code of `left`. Returns the number of the registration
    among all that were made again; None if no call does. Code that also runs in traces need not run: its part in the pattern is there.
    `codes`: the new code of each function, by the key of its old one."""
    led = _led.get(search, [])
    # What is on the stack and changed must run again, so the call is no further in.
    first = max((i for i, (call, _) in enumerate(led) if key(call[0]) in left), default=0)
    on_stack = {key(call[0]) for call, _ in led}
    wanted = {key(codes[k]) for k in left if k in on_stack or k not in in_traces}
    _made[0] = 0
    for call, at in led[first:]:
        before = _made[0]
        ran = _repeated(call, codes)
        if ran is not None and wanted <= ran:
            return before + at
    return None


def started(code: CodeType) -> bool:
    """Notes code that a repeated call runs; False if none is repeated."""
    if _ran is None:
        return False
    _ran.add(key(code))
    return True


def _repeated(call, codes):
    global _ran
    old, glob, args, free, _ = call
    code = codes.get(key(old), old)
    if not all(n in free for n in code.co_freevars) or not all(n in args for n in _names(code)):
        return None
    function = FunctionType(code, glob, code.co_name, None, tuple(CellType(free[n]) for n in code.co_freevars))
    owner = next(iter(args.values()), None)
    kept = dict(vars(owner)) if hasattr(owner, "__dict__") and not isinstance(owner, type) else None
    _ran = {key(code)}
    try:
        _called(function, code, args)
        return _ran
    finally:
        _ran = None
        if kept is not None:
            vars(owner).clear()
            vars(owner).update(kept)


def _called(function: Callable, code, args):
    names = _names(code)
    plain = names[: code.co_argcount]
    named = names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    rest = names[code.co_argcount + code.co_kwonlyargcount :]
    more = args[rest.pop(0)] if code.co_flags & inspect.CO_VARARGS else ()
    others = args[rest.pop(0)] if code.co_flags & inspect.CO_VARKEYWORDS else {}
    function(*(args[n] for n in plain), *more, **{n: args[n] for n in named}, **others)


def _names(code):
    """Parameters in their order in the code: by position, by keyword, *args, **kwargs."""
    extra = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + extra])


def _arguments(code, values):
    return _taken(_names(code), values)


def _taken(names, values):
    return {n: values[n] for n in names if n in values}
