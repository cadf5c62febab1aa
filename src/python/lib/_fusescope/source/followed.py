"""Notes what runs while files load and what runs in each trace, for the answers to edits (edited.py)."""

import functools
import sys
from collections.abc import Callable, Iterator
from types import CodeType

_TOOL = 3  # of sys.monitoring, of which user code has no use
_EVENT = sys.monitoring.events.PY_START
codes = {}  # file → its code, as it ran
ran = set()  # ids of the code that ran while the files loaded, traces left out
traces = {}  # number of a traced function → ids of the code that ran in its traces
_now = []  # the sets of the traces in progress
_loading = [False]


def begin() -> None:
    """The files are going to run: each run begins in a new Python."""
    sys.monitoring.use_tool_id(_TOOL, "fusescope edits")
    sys.monitoring.register_callback(_TOOL, _EVENT, _started)
    _loading[0] = True


def loaded() -> None:
    """The files have run: what runs outside of traces from now on runs again in each answer."""
    _loading[0] = False


def follow(file: str, code: CodeType) -> CodeType:
    """Notes when the functions of a file run, whose code is returned."""
    if _loading[0]:
        codes[file] = code
        for each in all_of(code):
            sys.monitoring.set_local_events(_TOOL, each, _EVENT)
    return code


def _started(code, _offset):
    if _now:
        _now[-1].add(id(code))
        return None
    if not _loading[0]:
        return None
    ran.add(id(code))
    return sys.monitoring.DISABLE


def traced(trace: Callable) -> Callable:
    """A function that calls the user's function of the number that it takes first, to trace it."""

    @functools.wraps(trace)
    def tracing(fn, *args):
        _now.append(traces.setdefault(fn, set()))
        try:
            return trace(fn, *args)
        finally:
            inner = _now.pop()
            if _now:
                _now[-1].update(inner)

    return tracing


def all_of(code: CodeType) -> Iterator:
    """The code and that of the functions in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from all_of(each)
