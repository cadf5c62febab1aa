"""A match in the shown graph, as PyTorch's Match shows it."""

import functools
from collections.abc import Callable
from typing import Any

from torch.utils import _pytree as pytree

from .. import engine, callables, wire
from ..torch_version import assertion, is_since
from ..graph.graph import Graph
from ..registrations import inputs
from .tracing import fwd_only, tracing
from .match_context import FailedMatch, MatchContext


class Match:
    """A match, as passed to extra_checks, handlers and user-defined `_match`."""

    _number = None  # for a match found by Python
    _keys = ()  # of the nodes, as found
    replacement_graph = None

    def __init__(self, ctx, pattern, args=None, kwargs=None):
        self.ctx, self.pattern = ctx, pattern
        self.args, self.kwargs, self.nodes, self.targets = list(args or []), kwargs or {}, [], {}

    @classmethod
    def _opened(cls, data):
        """The engine's current match."""
        table = Graph._of()._table
        self = cls(None, None)
        self._fill(table, data)
        self._outputs = [None if n is None else table.node(n) for n in data["outputs"]]
        self.ctx = MatchContext._numbered(data["ctx"], table.graph)
        return self

    @classmethod
    def _found(cls, ctx, pattern, data):
        """The result of an attempt that Python requested."""
        self = cls(ctx, pattern)
        self._fill(ctx.graph._table, {**data, "nodes": [n["node"] for n in data["nodes"]]})
        self._number = data["number"]
        return self

    def _fill(self, table, data):
        self._keys = data["nodes"]
        self.nodes = [table.node(n) for n in self._keys]
        self.args = [table.decode(a) for a in data["args"]]
        self.kwargs = {k: table.decode(v) for k, v in data["kwargs"]}

    @property
    def graph(self) -> Graph:
        return self.ctx.graph

    @property
    def _table(self):
        return self.ctx.graph._table

    def extend(self, other: "Match") -> None:
        for key in self.kwargs:
            if key in other.kwargs and self.kwargs[key] != other.kwargs[key]:
                raise FailedMatch("kwarg mismatch: {}", key)
        self.args.extend(other.args)
        self.nodes.extend(other.nodes)
        self.kwargs.update(other.kwargs)
        self.targets.update(other.targets)

    def bundle(self) -> "Match":
        self.args = [tuple(self.args)] if self.args else []
        return self

    def output_nodes(self) -> list:
        if hasattr(self, "_outputs"):
            return list(self._outputs)
        bound = self.ctx.pattern_to_node
        return [None if p is None else bound[p] for p in self.ctx.outputs]

    def output_node(self) -> Any:
        return next(n for n in self.output_nodes() if n is not None)

    def erase_nodes(self) -> None:
        engine.match_erase(self._itself())

    def _itself(self):
        """Its number, and the keys of the nodes if user code assigned others: a replacement erases these nodes."""
        keys = [n._key for n in self.nodes]
        return [self._number, None if keys == self._keys else keys]

    def replace_by_example(
        self,
        replacement_fn: Any,
        args: list | tuple,
        trace_fn: Callable | None = None,
        run_functional_passes: bool = True,
    ) -> list:
        from torch.fx.node import map_aggregate

        if trace_fn is None and not run_functional_passes:
            trace_fn = functools.partial(fwd_only, run_functional_passes=False)
        traced_by = None if trace_fn is None else tracing(trace_fn)
        traced, names, leaves = inputs.flat(replacement_fn, map_aggregate(args, lambda a: a))
        encoded = [wire.encode(a) for a in leaves]
        return self._added(engine.match_replace(callables.number(traced), names, encoded, traced_by, self._itself()))

    def replace_with_graph(self, replacement_graph: Any, args: list | tuple) -> list:
        from torch.fx import GraphModule

        if not isinstance(replacement_graph, GraphModule):
            raise assertion(f"expected GraphModule, got {type(replacement_graph)}")
        encoded = [wire.encode(a) for a in pytree.tree_leaves(list(args))]
        number = replacement_graph.graph._table.number
        return self._added(engine.match_replace_graph(number, encoded, self._itself()))

    def _added(self, names):
        added = [self._table.node(n) for n in names]
        return added if is_since("2.13") else None

    def __repr__(self):
        return f"Match(..., {self.args}, {self.kwargs})"


def result_data(result: "FailedMatch | Match") -> dict:
    """The result of a `_match`, as data for the engine."""
    if isinstance(result, Match):
        kwargs = [[k, wire.encode(v)] for k, v in result.kwargs.items()]
        return {
            "nodes": [n._key for n in result.nodes],
            "args": [wire.encode(a) for a in result.args],
            "kwargs": kwargs,
        }
    return {"failed": str(result)}


MatchContext._new_match = Match._found
