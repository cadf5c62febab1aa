"""Changes functions of a loaded file in place, so that a changed pattern is traced without running the files again."""

import dis
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType

from .. import callables, frames, workspace_files
from . import compiled, positions

_TOOL = 4  # of sys.monitoring, of which user code has no use
_ran = set()  # (file, name, first line) of the code that ran while the files loaded, traces left out
_before = []  # (function, its code)
_texts = []  # (file, its text)
_tracing = [0]


def watch(on: bool) -> None:
    """Notes which functions run while files load: what they made would stay as it is."""
    _ran.clear()
    _before.clear()
    _texts.clear()
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


def _started(code, _offset):
    if not code.co_filename.startswith(frames.WORKSPACE):
        return sys.monitoring.DISABLE
    if _tracing[0]:
        return None
    _ran.add(_key(code))
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
    """Gives the functions of a loaded file the code of a changed text. False, with nothing changed, if the text changes more than
    functions that ran in traces alone."""
    before = workspace_files.files.get(file)
    module = frames.user_modules().get(frames.WORKSPACE + file)
    if before is None or module is None or not _ran:
        return False
    try:
        pairs = list(_pairs(compiled.fresh(file, before), compiled.fresh(file, text)))
    except (SyntaxError, ValueError):
        return False
    codes = {_key(old): new for old, new in pairs}
    changed = {_key(old) for old, new in pairs if _own(old) != _own(new)}
    # Functions on the same line can have the same key.
    if changed & _ran or len(codes) < len(pairs):
        return False
    found = [f for f in _functions(module) if _key(f.__code__) in codes]
    if not changed <= {_key(f.__code__) for f in found}:
        return False
    if any(f.__code__.co_freevars != codes[_key(f.__code__)].co_freevars for f in found):
        return False
    _texts.append((file, before))
    for function in found:
        _before.append((function, function.__code__))
        function.__code__ = codes[_key(function.__code__)]
    _read_from(file, text)
    return True


def unpatch() -> None:
    """Undoes `patch`."""
    while _before:
        function, code = _before.pop()
        function.__code__ = code
    while _texts:
        _read_from(*_texts.pop())


def _read_from(file, text):
    workspace_files.files[file] = text
    frames.remember_source(file, text)
    positions.forget()


def _key(code):
    return code.co_filename, code.co_qualname, code.co_firstlineno


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
