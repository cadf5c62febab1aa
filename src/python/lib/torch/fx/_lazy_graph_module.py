"""torch.fx._lazy_graph_module: GraphModules, which are lazy here anyway."""
from .graph_module import GraphModule, _make_graph_module  # noqa: F401

_LazyGraphModule = GraphModule
