"""A match in the shown graph, as PyTorch's Match shows it."""
import functools

from torch.utils import _pytree as pytree

from . import bridge, callables, inputs, wire
from .nodes import Table


class Match:
    """A match, as extra_checks and handlers see it."""

    def __init__(self, data):
        table = self._table = Table()
        self.nodes = [table.node(n) for n in data["nodes"]]
        self.args = [table.decode(a) for a in data["args"]]
        self.kwargs = {k: table.decode(v) for k, v in data["kwargs"]}
        self._outputs = [None if n is None else table.node(n) for n in data["outputs"]]

    @property
    def graph(self):
        return self._table.graph

    def output_nodes(self):
        return list(self._outputs)

    def output_node(self):
        return next(n for n in self._outputs if n is not None)

    def erase_nodes(self):
        bridge.call("match_erase")

    def replace_by_example(self, replacement_fn, args, trace_fn=None, run_functional_passes=True):
        from torch._inductor.pattern_matcher import fwd_only, tracing
        from torch.fx.node import map_aggregate

        if trace_fn is None and not run_functional_passes:
            trace_fn = functools.partial(fwd_only, run_functional_passes=False)
        traced_by = None if trace_fn is None else tracing(trace_fn)
        traced, names, leaves = inputs.flat(replacement_fn, map_aggregate(args, lambda a: a))
        encoded = [wire.encode(a) for a in leaves]
        return self._added(bridge.call("match_replace", callables.number(traced), names, encoded, traced_by))

    def replace_with_graph(self, replacement_graph, args):
        from torch.fx import GraphModule

        if not isinstance(replacement_graph, GraphModule):
            raise AssertionError(f"expected GraphModule, got {type(replacement_graph)}")
        encoded = [wire.encode(a) for a in pytree.tree_leaves(list(args))]
        return self._added(bridge.call("match_replace_graph", replacement_graph.graph._table.number, encoded))

    def _added(self, names):
        return [self._table.node(n) for n in names]

    def __repr__(self):
        return f"Match(..., {self.args}, {self.kwargs})"
