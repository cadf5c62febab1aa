"""Pass managers: which of their passes they call with a graph, and in which order, as their own code decides."""
import contextlib
import inspect
import io

from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.pattern_matcher import PatternMatcherPass

from .. import frames
from . import compiling


def held(value):
    """[(attribute, patterns)] of an object; of a list of them, each by its index."""
    found = []
    for name, inner in getattr(value, "__dict__", {}).items():
        if isinstance(inner, PatternMatcherPass):
            found.append((name, inner))
        elif isinstance(inner, (list, tuple)):
            found += [(f"{name}[{i}]", p) for i, p in enumerate(inner) if isinstance(p, PatternMatcherPass)]
    return found


def calls(manager):
    """[(pass, how often by now, Turn)] in order, a pass as often as it is called; [] for what is no manager.

    A manager is a callable whose list `passes` holds passes. It is called with an empty graph while its passes only note
    that it was their turn, so that what it calls besides the list, after it and on which condition are its own words.
    A pass of the list that it does not call is called 0 times. No Turn: the pass is called without the manager.
    """
    listed = getattr(manager, "__dict__", {}).get("passes")
    if not isinstance(listed, list) or not callable(manager):
        return []
    listed = [p for p in listed if _is_pass(p)]
    # A pass that cannot be called is one whose patterns the manager applies itself.
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
    """Those of its list, and those that are attributes of its own."""
    return [p for p in [*manager.passes, *vars(manager).values()] if _is_pass(p) and callable(p)]


def _is_pass(value):
    return isinstance(value, CustomGraphPass) or bool(held(value))


def _rehearse(manager, passes):
    """The passes in the order in which the manager calls them; [] where it cannot be called so."""
    called = []
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            _call(manager, _Nothing(), passes, lambda own, each, graph: called.append(each))
    except Exception:  # the user's code, which takes more of a graph than nothing has
        return []
    return called


class Turn:
    """One call of a pass as its manager makes it, in the contexts that it has open then, and nothing else that it calls."""

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
    """Calls it, with act(the class's own __call__, pass, graph) in the place of each call of one of these passes."""
    own = {cls: (cls.__call__, "__call__" in vars(cls)) for cls in {type(p) for p in passes} - {type(manager)}}
    members, acting = set(map(id, passes)), False

    def instead(cls):
        def call(self, graph=None, *args, **kwargs):
            nonlocal acting
            # What a pass calls itself is its own business.
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
    """What it has to be given besides the graph."""
    _, *others = inspect.signature(manager).parameters.values()
    wanted = [p for p in others if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return {p.name: compiling.argument(p.name) for p in wanted}


class _Nothing:
    """In the place of a graph: without nodes, whatever is asked of it."""

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


