"""torch.fx: graphs, symbolic tracing, interpreters and the rewriter of subgraphs."""

# ruff: noqa: F822 - __getattr__ imports what __all__ names

from _fusescope import partial_modules as _partial
from _fusescope.graph.graph import Graph
from _fusescope.graph.node import Node

from .graph import CodeGen  # noqa: F401
from .node import has_side_effect, map_arg  # noqa: F401

# Their modules import torch, which may be importing this one.
_LATER = {
    **dict.fromkeys(("GraphModule",), "graph_module"),
    **dict.fromkeys(("Proxy", "TraceError"), "proxy"),
    **dict.fromkeys(("Tracer", "symbolic_trace", "wrap", "PH", "ProxyableClassMeta"), "_symbolic_trace"),
    **dict.fromkeys(("Interpreter", "Transformer"), "interpreter"),
    **dict.fromkeys(("replace_pattern", "replace_pattern_with_filters"), "subgraph_rewriter"),
}
_other = _partial.of_pytorch(__name__)


def __getattr__(name):
    if name not in _LATER:
        return _other(name)
    import importlib

    found = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    return found


__all__ = [
    "Graph",
    "GraphModule",
    "Interpreter",
    "Node",
    "Proxy",
    "Tracer",
    "Transformer",
    "replace_pattern",
    "symbolic_trace",
    "wrap",
]
