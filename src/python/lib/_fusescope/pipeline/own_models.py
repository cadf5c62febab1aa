"""Functions that trace their own model and rewrite it, as a script's `main` does: in a pipeline they get the open graph."""

import sys
from collections.abc import Callable
from typing import Any

from .. import frames
from ..source import followed

_TRACE = {"symbolic_trace", "export", "export_for_training"}
_REWRITE = {"replace_pattern", "replace_pattern_with_filters", "SubgraphMatcher"}
_waiting = []  # [module] from the call of such a function until it traces its model


def rewrites_own(function: Callable) -> bool:
    """True if the function needs no argument, and its code names a way to trace a model and a rewriter."""
    code = function.__code__
    if code.co_argcount > len(function.__defaults__ or ()) or code.co_kwonlyargcount:
        return False
    names = {name for inner in followed.all_of(code) for name in inner.co_names}
    return bool(names & _TRACE and names & _REWRITE)


def call(function: Callable, module: Any) -> Any:
    """Calls the function, whose first trace of a model returns `module`."""
    _waiting.append(module)
    try:
        return function()
    finally:
        _waiting.clear()


def traced() -> Any:
    """The open graph's module, for the trace of a model by the user's code that `call` runs; else None."""
    by_user = sys._getframe(2).f_code.co_filename.startswith(frames.WORKSPACE)
    return _waiting.pop() if _waiting and by_user else None
