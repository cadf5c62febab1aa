"""A stage of the pipeline."""

import copy
import inspect
import types
from typing import Any

from torch._inductor.pattern_matcher import PatternMatcherPass

from .. import callables, frames
from . import calling

# Callers that take a stage's returned graph: no hook, a compiler, and functorch's hook.
_RETURNED = (None, "backend", "joint_custom_pass")


class Stage:
    """One pass of the pipeline: patterns for the engine to apply, or something to call with the graph."""

    def __init__(
        self,
        name,
        value,
        owner=None,
        manager=None,
        takes=None,
        hook=None,
        proposed=False,
        within=False,
        unmade=None,
        note=None,
        place=None,
    ):
        self.name, self.value, self.owner = name, value, owner
        self.manager = manager  # [variable, manager]
        self.hook, self.refused, self.path = hook, None, None
        self.takes = takes  # of calling.Call; None: a pass of Inductor's, which takes the graph
        self.proposed, self.within = proposed, within  # within: another pass calls it
        self.unmade, self.note, self.place = unmade, note, place
        self.call = None
        self.applied_by = None  # a user function in a hook
        self.turn = None  # its call by the manager, if the manager is user code

    @property
    def made(self) -> int:
        """Sort key: passes by creation, then functions."""
        return getattr(self.value, "_id", None) or getattr(self.value, "_made_after", 0)

    @property
    def called(self) -> Any:
        """The callable that is called with the graph; for patterns, the user's code that applies them. None: only the
        engine applies them."""
        if not isinstance(self.value, PatternMatcherPass):
            if self.turn is None and self.call is None:
                self.call = calling.Call(self.value, self.takes or "graph", self.hook in _RETURNED)
            return self.turn or self.call
        own = frames.is_users(getattr(type(self.owner), "__call__", None))
        if self.applied_by or own:
            return self.applied_by or self.turn or self.owner
        if self.call is None and self.override:
            self.call = self.value if self.override == "__call__" else self.value.apply
        return self.call

    @property
    def override(self) -> str | None:
        """The user's override of `apply` or `__call__`, on the class of the pass or on the pass itself; it runs instead of the matcher."""
        if not isinstance(self.value, PatternMatcherPass):
            return None
        if frames.is_users(getattr(type(self.value), "__call__", None)):
            return "__call__"
        return "apply" if frames.is_users(self.value.apply) else None

    def called_for(self, turn: Any, number: int) -> "Stage":
        """The same pass for one call by its manager."""
        stage = copy.copy(self)
        stage.name, stage.turn = self.name if number < 2 else f"{self.name}@{number}", turn
        return stage

    def data(self) -> dict:
        called = None if self.unmade else self.called
        of = None if self.owner is None else type(self.owner).__name__
        more = {"proposed": True} if self.proposed else {"unmade": True, "why": self.unmade} if self.unmade else {}
        if self.within:
            more["within"] = True
        if self.note:
            more["note"] = self.note
        if called is not None and called is self.call and self.override:
            of = f"{type(self.value).__name__}.{self.override}"
            more["override"] = True
        return {
            "variable": self.name,
            "passId": self.value._id if isinstance(self.value, PatternMatcherPass) else None,
            "callable": None if called is None else callables.lasting_number(called),
            "of": of,
            "hook": self.hook,
            "manager": self.manager and self.manager[0],
            "refused": self.refused,
            "path": self.path,
            "uuid": _uuid(self.owner),
            "place": self.place or _place(self.value),
            **more,
        }


def _uuid(owner):
    """The pass's own uuid for a compile cache."""
    try:
        own = inspect.isfunction(inspect.getattr_static(type(owner), "uuid", None))
        found = owner.uuid() if own else None
    except (OSError, TypeError):  # inspect.getsource found no source
        return None
    return found if isinstance(found, str) else None


def _place(value):
    """[file, line, name] of the user code that a stage runs, or None."""
    value = getattr(value, "passed", getattr(value, "_cls", value))
    if isinstance(value, PatternMatcherPass):
        return None
    if isinstance(value, (types.FunctionType, types.MethodType)):
        return frames.place_of(getattr(value, "__func__", value))
    return frames.place_of_class(value if isinstance(value, type) else type(value))
