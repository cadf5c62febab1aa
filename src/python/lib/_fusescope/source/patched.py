"""Changes functions of a loaded file in place, so that a changed pattern is traced without running the files again."""

import dis
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType

from .. import callables, frames, workspace_files
from . import calls, compiled
from .calls import key
from .in_place import InPlace

_TOOL = 4  # of sys.monitoring, of which user code has no use
_ran = set()  # (file, name, first line) of the code that ran while the files loaded, traces left out
_in_traces = set()  # of the code that ran in traces
_patches = InPlace()
_codes = {}  # the new code of each function of a changed file, by the key of its old one
_left = set()  # keys of code that changed and ran while the files loaded
_tracing = [0]


def watch(on: bool) -> None:
    """Notes which functions run while files load: what they made would stay as it is."""
    _ran.clear()
    _in_traces.clear()
    _patches.forget()
    _codes.clear()
    _left.clear()
    calls.watch(on)
    monitoring = sys.monitoring
    if not on:
        if monitoring.get_tool(_TOOL) is not None:
            monitoring.set_events(_TOOL, 0)
        return
    if monitoring.get_tool(_TOOL) is None:
        monitoring.use_tool_id(_TOOL, "fusescope")
    monitoring.register_callback(_TOOL, monitoring.events.PY_START, _started)
    monitoring.set_events(_TOOL, monitoring.events.PY_START)
    monitoring.restart_events()


def loaded() -> None:
    """The files have run: what runs from now on is a trace, a match or a pass."""
    if sys.monitoring.get_tool(_TOOL) is not None:
        sys.monitoring.set_events(_TOOL, 0)
    calls.end()


def _started(code, _offset):
    if not code.co_filename.startswith(frames.WORKSPACE) or calls.started(code):
        return sys.monitoring.DISABLE
    if _tracing[0]:
        _in_traces.add(key(code))
        return None
    _ran.add(key(code))
    return sys.monitoring.DISABLE


def traced(trace: Callable) -> Callable:
    """A function that calls user code to trace it."""

    @functools.wraps(trace)
    def tracing(*args):
        _tracing[0] += 1
        try:
            return trace(*args)
        finally:
            _tracing[0] -= 1

    return tracing


def patch(file: str, text: str) -> bool:
    """Gives the functions of a loaded file the code of a changed text. False, with nothing changed, if no function holds the changes.
    What ran while the files loaded is left to `register_again`."""
    before = workspace_files.files.get(file)
    module = frames.user_modules().get(frames.WORKSPACE + file)
    if before is None or module is None or not _ran:
        return False
    try:
        pairs = list(_pairs(compiled.fresh(file, before), compiled.fresh(file, text)))
    except (SyntaxError, ValueError):
        return False
    codes = {key(old): new for old, new in pairs}
    changed = {key(old) for old, new in pairs if _own(old) != _own(new)}
    left = changed & _ran
    # Functions on the same line can have the same key. Code outside of functions has no call.
    if len(codes) < len(pairs) or any(not _is_function(old) for old, _ in pairs if key(old) in left):
        return False
    found = [f for f in _functions(module) if key(f.__code__) in codes]
    fits = [f for f in found if f.__code__.co_freevars == codes[key(f.__code__)].co_freevars]
    held = {key(f.__code__) for f in fits} - {key(f.__code__) for f in found if f not in fits}
    # A function that is made again takes its code from the one that makes it.
    if not all(k in held or any(_makes(maker, k) for maker in left) for k in changed - left):
        return False
    _codes.update(codes)
    _left.update(left)
    for function in fits:
        _patches.give(function, codes[key(function.__code__)])
    _patches.read_from(file, text)
    return True


def _is_function(code):
    return bool(code.co_flags & inspect.CO_NEWLOCALS)


def _makes(maker, made):
    return maker[0] == made[0] and made[1].startswith(f"{maker[1]}.<locals>.")


def register_again(search: int) -> int | None:
    """Makes the registration of a search function again if what changed ran while the files loaded. Returns its number among those that
    are made; -1 if none needs to be; None where a run must show what changes."""
    if not _left:
        return -1
    monitoring = sys.monitoring
    monitoring.restart_events()
    monitoring.set_events(_TOOL, monitoring.events.PY_START)
    try:
        return calls.again(search, _codes, _left, _in_traces)
    finally:
        monitoring.set_events(_TOOL, 0)


def unpatch() -> None:
    """Undoes `patch`."""
    _patches.undo()
    _codes.clear()
    _left.clear()


def _own(code):
    """What a code object does itself, without its lines and the functions in it."""
    text, line = _without_line(code)
    consts = tuple((type(c), repr(c)) for c in code.co_consts if not isinstance(c, CodeType) and c is not line)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    return text, consts, names, counts, code.co_exceptiontable


def _without_line(code):
    """The instructions of a code object, and its constant for the line of a class, which its body stores."""
    text, line = bytearray(code.co_code), None
    if "__firstlineno__" in code.co_names:
        stored = bytes([dis.opmap["STORE_NAME"], code.co_names.index("__firstlineno__")])
        at = next((i for i in range(2, len(text), 2) if text[i : i + 2] == stored), 2)
        if text[at - 2] == dis.opmap["LOAD_CONST"]:
            line = code.co_consts[text[at - 1]]
        text[at - 2 : at] = b"__"
    return bytes(text), line


def _pairs(old: CodeType, new: CodeType) -> Iterator:
    """(old, new) of each function in the code. A body that defines other functions than before differs itself."""
    yield old, new
    inner = [[c for c in code.co_consts if isinstance(c, CodeType)] for code in (old, new)]
    if [c.co_qualname for c in inner[0]] == [c.co_qualname for c in inner[1]]:
        for one, other in zip(*inner, strict=True):
            yield from _pairs(one, other)


def _functions(module):
    """The functions of a module, of its classes, and those that are registered or that these hold."""
    seen, todo = set(), [*vars(module).values(), *callables.all_of()]
    while todo:
        each = todo.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, FunctionType):
            if each.__code__.co_filename.startswith(frames.WORKSPACE):
                yield each
            todo += [c.cell_contents for c in each.__closure__ or () if _holds(c)]
            todo += [each.__wrapped__] if hasattr(each, "__wrapped__") else []
        elif isinstance(each, functools.partial):
            todo.append(each.func)
        elif isinstance(each, (staticmethod, classmethod)) or inspect.ismethod(each):
            todo.append(each.__func__)
        elif isinstance(each, property):
            todo += [each.fget, each.fset]
        elif isinstance(each, type) and each.__module__ == module.__name__:
            todo += vars(each).values()


def _holds(cell):
    try:
        return callable(cell.cell_contents)
    except ValueError:
        return False
