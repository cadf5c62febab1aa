"""A match in the shown graph, as PyTorch's Match shows it."""
import functools

from . import bridge, callables, wire
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

        if trace_fn is None and not run_functional_passes:
            trace_fn = functools.partial(fwd_only, run_functional_passes=False)
        traced_by = None if trace_fn is None else tracing(trace_fn)
        if any(isinstance(a, list) for a in args):
            replacement_fn = _taking_lists(replacement_fn)
        names = callables.input_names(replacement_fn, len(args))
        bridge.call("match_replace", callables.number(replacement_fn), names, [wire.encode(a) for a in args], traced_by)

    def replace_with_graph(self, replacement_graph, args):
        raise NotImplementedError("Fusescope has no Match.replace_with_graph; use replace_by_example")

    def __repr__(self):
        return f"Match(..., {self.args}, {self.kwargs})"


def _taking_lists(fn):
    """torch.fx hands lists over as its own kind."""
    from torch.fx.immutable_collections import immutable_list

    @functools.wraps(fn)
    def call(*args):
        return fn(*[immutable_list(a) if isinstance(a, list) else a for a in args])

    return call
