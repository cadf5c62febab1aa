"""torch.fx names, for annotations and isinstance."""
from _fusescope.nodes import Graph, Node

from .node import map_arg  # noqa: F401


class GraphModule:
    """A graph with its owner's attributes."""

    def __init__(self, root=None, graph=None, class_name="GraphModule"):
        self.graph = graph


Proxy = type("Proxy", (), {})
Tracer = type("Tracer", (), {})


def symbolic_trace(*args, **kwargs):
    raise NotImplementedError("Fusescope traces patterns with fwd_only; torch.fx.symbolic_trace is not here")


def wrap(fn):
    return fn


__all__ = ["Graph", "GraphModule", "Node", "Proxy", "Tracer", "symbolic_trace", "wrap"]
