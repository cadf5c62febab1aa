"""Facts about an exception of user code for an advice: the span of its expression, and the closest existing name."""

import builtins
import re
import sys
import traceback

from . import frames, stubs

MAX_NAMES = 5000  # names that are compared


def described(error: BaseException) -> dict:
    """The exception as data, with the facts for an advice."""
    facts = {**told(error), **of(error)}
    # What a stub lacks has no similar name.
    return facts if _of_stub(error) is None else {**facts, "closest": None}


def told(error: BaseException) -> dict:
    """The exception as data, with a message that names the stub if one lacks what the code asks for."""
    facts, missing = frames.describe(error), _of_stub(error)
    return facts if missing is None else {**facts, "message": missing}


def _of_stub(error):
    """The message for a method of a missing base class, or a name that a missing module would give; None for other errors."""
    try:
        if isinstance(error, AttributeError) and isinstance(error.obj, super):
            stub = stubs.base_of(type(error.obj.__self__))
            if stub is not None and not isinstance(error.obj.__self__, type):
                return f"{stub._module}.{stub._name} is a stub: its method {error.name} is missing here. Add the file that defines it."
        if isinstance(error, NameError) and error.name:
            last = traceback.extract_tb(error.__traceback__)[-1]
            for module in re.findall(r"^from (\S+) import \*", frames.sources.get(last.filename, ""), re.M):
                if isinstance(sys.modules.get(module), stubs.StubModule):
                    return f"{error}: `from {module} import *` gives no names, because Fusescope lacks {module}. Add its file."
    except Exception:  # a user's class may raise at any access
        return None
    return None


def of(error: BaseException) -> dict:
    """{"span": [line, column, end line, end column] or None, "closest": [wrong name, closest name or None] or None, "unfed": _unfed}."""
    try:
        return {"span": _span(error), "closest": _closest(error), "unfed": _unfed(error)}
    except BaseException:  # a user's class may raise at any access
        return {"span": None, "closest": None, "unfed": None}


def _unfed(error):
    """[[file, line, name] of the search function, parameters, example inputs, first parameter without one] of too few inputs, or None."""
    for frame, _ in traceback.walk_tb(error.__traceback__ if isinstance(error, IndexError) else None):
        local = dict(frame.f_locals)
        if frame.f_code.co_name != "_register" or not {"search_fn", "names", "example_inputs"} <= local.keys():
            continue
        fn, given, scalars = local["search_fn"], local["example_inputs"], local["scalar_workaround"] or {}
        tensors = [n for n in local["names"] if n not in scalars]
        if len(given) < len(tensors) and (place := frames.place_of(fn)):
            return [place, len(tensors), len(given), tensors[len(given)]]
    return None


def _units(text):
    """Length in UTF-16 units, as an editor counts columns."""
    return len(text.encode("utf-16-le", "replace")) // 2


def _span(error):
    if isinstance(error, SyntaxError):
        if not error.offset or not error.lineno or not (error.filename or "").startswith(frames.WORKSPACE):
            return None
        end = error.end_offset if error.end_offset and error.end_offset > 0 else error.offset + 1
        return [error.lineno, error.offset, error.end_lineno or error.lineno, end]
    found = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(frames.WORKSPACE)]
    if not found or found[-1].colno is None or found[-1].end_colno is None:
        return None
    last, lines = found[-1], frames.sources.get(found[-1].filename, "").splitlines()

    def column(line, at):
        return _units(lines[line - 1].encode()[:at].decode("utf-8", "replace")) + 1

    return [last.lineno, column(last.lineno, last.colno), last.end_lineno, column(last.end_lineno, last.end_colno)]


def _closest(error):
    name = getattr(error, "name_from", None) or getattr(error, "name", None)
    if not isinstance(name, str):
        return None
    if isinstance(error, ImportError):
        import sys

        names = dir(sys.modules.get(error.name)) if getattr(error, "name_from", None) else []
    elif isinstance(error, NameError):
        names = _visible(error.__traceback__)
    elif isinstance(error, AttributeError) and error.obj is not None:
        names = _attributes(error.obj)
    else:
        return None
    return [name, _nearest(name, [n for n in names if isinstance(n, str) and n != name][:MAX_NAMES])]


def _attributes(obj):
    """dir(obj), with the functions and methods that torch makes on first access."""
    import torch
    from torch import _names

    dynamic = _names.FUNCTIONS if obj is torch else _names.METHODS if isinstance(obj, torch.Tensor) else ()
    return [*dir(obj), *dynamic]


def _visible(tb):
    """Names that the innermost frame sees."""
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    if tb is None:
        return []
    return [*tb.tb_frame.f_locals, *tb.tb_frame.f_globals, *dir(builtins)]


def _nearest(name, names):
    import difflib

    found = difflib.get_close_matches(name, names, 1, 0.7)
    return found[0] if found else None
