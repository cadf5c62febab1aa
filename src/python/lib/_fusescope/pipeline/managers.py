"""Pass managers: the passes that their code calls with a graph, in order."""

import contextlib
import inspect
import io
from typing import Any

from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.pattern_matcher import PatternMatcherPass

from .. import frames
from . import compiling


def held(value: Any) -> list[tuple]:
    """[(attribute, patterns)] of an object; items of a list have their index."""
    found = []
    for name, inner in getattr(value, "__dict__", {}).items():
        if isinstance(inner, PatternMatcherPass):
            found.append((name, inner))
        elif isinstance(inner, (list, tuple)):
            found += [(f"{name}[{i}]", p) for i, p in enumerate(inner) if isinstance(p, PatternMatcherPass)]
    return found


def calls(manager: Any) -> list[tuple]:
    """[(pass, number of calls so far, Turn)] in order, one item per call; [] for an object that is not a manager.

    A manager is a callable whose list `passes` contains passes. It is called with an empty graph while its passes
    only record their calls, so its own code decides the order, the conditions and the calls outside the list. A
    pass of the list that it does not call has 0 calls. No Turn: the pass is called without the manager.
    """
    listed = getattr(manager, "__dict__", {}).get("passes")
    if not isinstance(listed, list) or not callable(manager):
        return []
    listed = [p for p in listed if _is_pass(p)]
    # If a pass is not callable, the manager applies its patterns itself.
    order = _rehearse(manager, _passes_of(manager)) if all(map(callable, listed)) else []
    if not order:
        return [(p, 1, None) for p in listed]
    own, told, at = frames.is_users(type(manager).__call__), [], 0
    for i, each in enumerate(order):
        number = sum(p is each for p in order[: i + 1])
        told.append((each, number, Turn(manager, each, number) if own else None))
    for each in listed:
        place = next((i for i, (p, *_) in enumerate(told) if p is each), None)
        if place is None:
            told.insert(at, (each, 0, None))
        at = (at if place is None else place) + 1
    return told


def _passes_of(manager):
    """The passes in its list and in its attributes."""
    return [p for p in [*manager.passes, *vars(manager).values()] if _is_pass(p) and callable(p)]


def _is_pass(value):
    return isinstance(value, CustomGraphPass) or bool(held(value))


def _rehearse(manager, passes):
    """The passes in the order in which the manager calls them; [] if the manager cannot be called with an empty
    graph."""
    called = []
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            _call(manager, _Nothing(), passes, lambda own, each, graph: called.append(each))
    except Exception:  # user code that needs more than an empty graph
        return []
    return called


class Turn:
    """One call of a pass by its manager, inside the contexts that the manager has open; its other calls are skipped."""

    def __init__(self, manager, called, number):
        self._manager, self._called, self._number = manager, called, number

    def __call__(self, graph):
        times = 0

        def act(own, each, given):
            nonlocal times
            times += each is self._called
            if each is self._called and times == self._number:
                own(each, given)

        _call(self._manager, graph, _passes_of(self._manager), act)


def _call(manager, graph, passes, act):
    """Calls the manager, replacing each call of one of these passes by act(the class's __call__, pass, graph)."""
    own = {cls: (cls.__call__, "__call__" in vars(cls)) for cls in {type(p) for p in passes} - {type(manager)}}
    members, acting = set(map(id, passes)), False

    def instead(cls):
        def call(self, graph=None, *args, **kwargs):
            nonlocal acting
            # Calls inside a pass are not intercepted.
            if acting or id(self) not in members:
                return own[cls][0](self, graph, *args, **kwargs)
            acting = True
            try:
                act(own[cls][0], self, graph)
            finally:
                acting = False
            return graph

        return call

    try:
        for cls in own:
            cls.__call__ = instead(cls)
        manager(graph, **_others(manager))
    finally:
        for cls, (call, is_own) in own.items():
            if is_own:
                cls.__call__ = call
            else:
                del cls.__call__


def _others(manager):
    """The arguments it requires besides the graph."""
    _, *others = inspect.signature(manager).parameters.values()
    wanted = [p for p in others if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return {p.name: compiling.argument(p.name) for p in wanted}


class _Nothing:
    """A placeholder graph: has no nodes and accepts any access."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0
