"""PatternEntry and its subclasses: the entries of a pass, and their registration by user code."""

import dataclasses
import functools
from typing import Any

from .. import engine, callables, frames, stubs
from ..graph.targets import fn_name, function
from ..patterns.expressions import MultiOutputPattern, RepeatedExpr
from ..patterns.pattern_data import to_data
from . import bindings, counts

pass_class = None  # PatternMatcherPass, whose module imports this one
_owners = []  # [(a user dict, the number of the pass that its entries belong to)]
_of_stubs = {}  # qualified name of a stub → the pass that stands for it


def always(match: Any) -> bool:
    return True


@dataclasses.dataclass(eq=False)
class PatternEntry:
    """An entry: a pattern, its extra_check, and the action for a match."""

    pattern: Any
    extra_check: Any
    _number = None

    def apply(self, match: Any, graph: Any, node: Any) -> None:
        raise NotImplementedError

    def register(self, pass_dicts: Any, target: Any = None, prepend: bool = False, place: list | None = None) -> None:
        if not hasattr(self.pattern, "fns"):
            raise AssertionError("pattern has no fns attribute")
        check, handler = self.extra_check, self._called()
        written = getattr(self, "handler", type(self).apply)
        registration = {
            "pattern": to_data(self.pattern),
            "extraCheck": None if check is always else callables.number(_of_pattern(check, self.pattern)),
            "handler": callables.number(_of_pattern(handler, self.pattern)),
            "prepend": bool(prepend),
            "target": None if target is None else fn_name(target),
            "source": place or frames.user_place(),
            **bindings.of(written, *([] if check is always else [check])),
        }
        counts.add()
        for held in holders(pass_dicts):
            put(held, engine.register_graph(owner_of(held), registration), self, prepend)

    def _called(self):
        """What runs for a match."""
        return lambda match, *args, **kwargs: self.apply(match, match.graph, match.output_node())


@dataclasses.dataclass(eq=False)
class ReplacementPatternEntry(PatternEntry):
    """An entry made by register_replacement. The engine owns the pattern; here it is identified by its text."""

    def __init__(self, pattern, number=None):
        super().__init__(pattern, always)
        self._number = number

    def register(self, pass_dicts: Any, target: Any = None, prepend: bool = False, place: list | None = None) -> None:
        raise NotImplementedError("Fusescope registers a ReplacementPatternEntry by register_replacement")


@dataclasses.dataclass(eq=False)
class GraphPatternEntry(PatternEntry):
    """A pattern whose match is passed to a handler, which edits the graph."""

    handler: Any

    def apply(self, match: Any, graph: Any, node: Any) -> None:
        with graph.inserting_before(node):
            self.handler(match, *match.args, **match.kwargs)

    def _called(self):
        return self.handler if type(self).apply is GraphPatternEntry.apply else super()._called()


class LoweringPatternEntry(GraphPatternEntry):
    """A pattern whose match becomes one call of the handler, which Inductor lowers; Fusescope does not run it."""

    def _called(self):
        handler = self.handler

        @functools.wraps(handler, updated=())
        def put_call(match, *args, **kwargs):
            node = match.output_node()
            with match.graph.inserting_before(node):
                call = match.graph.call_function(
                    f"python:{handler.__module__}.{handler.__name__}", tuple(match.args), match.kwargs
                )
            for key in ("val", "custom"):
                if key in node.meta:
                    call.meta[key] = node.meta[key]
            node.replace_all_uses_with(call)
            if match.nodes[-1] is not node:
                raise AssertionError("expected match.nodes[-1] to be node")
            match.erase_nodes()

        return put_call


def _of_stub(stub):
    """The pass that stands for a missing one."""
    key = f"{stub._module}.{stub._name}"
    return _of_stubs.get(key) or _of_stubs.setdefault(key, pass_class._of_library(key, stub._name))


def holders(given: Any) -> list:
    """The passes and dicts in pass_dicts."""
    held = [
        _of_stub(one) if isinstance(one, stubs.Stub) else one
        for one in (given if isinstance(given, (list, tuple)) else [given])
    ]
    for one in held:
        if not isinstance(one, (dict, pass_class)):
            raise TypeError(f"'{type(one).__name__}' object is not iterable")
        if not isinstance(one, dict):
            one._used = True
    return held


def owner_of(held: Any) -> int:
    """The number of the engine's pass for entries in this pass or dict."""
    if not isinstance(held, dict):
        return held._id
    known = next((number for table, number in _owners if table is held), None)
    if known is None:
        known = engine.new_pass(None)
        _owners.append((held, known))
    return known


def put(held: Any, registered: dict, entry: Any, prepend: bool = False) -> None:
    """Adds an entry of the engine to the dict or pass that user code reads."""
    entry._number = registered["number"]
    table = held if isinstance(held, dict) else held._table
    if table is None:
        return
    for op, target in registered["targets"]:
        entries = table[op, function(target) if op == "call_function" else target]
        entries.insert(0, entry) if prepend else entries.append(entry)


def numbers(table: Any) -> list[list]:
    """[[op, target, [entry numbers]]] of a table of entries."""
    return [[op, fn_name(target), [e._number for e in entries]] for (op, target), entries in table.items()]


def _of_pattern(fn, pattern):
    """Wraps fn(match, …) so that its match has the matched pattern."""

    @functools.wraps(fn, updated=())
    def call(match, *args, **kwargs):
        match.pattern = _begun_with(pattern)
        return fn(match, *args, **kwargs)

    return call


def _begun_with(pattern):
    """The user-defined `_match` results of a match: those of the other outputs or siblings are added to the first."""
    while isinstance(pattern, (MultiOutputPattern, RepeatedExpr)):
        pattern = pattern.outputs[0] if isinstance(pattern, MultiOutputPattern) else pattern.inner_pattern
    return pattern
