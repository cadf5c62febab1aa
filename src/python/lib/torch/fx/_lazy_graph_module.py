"""torch.fx._lazy_graph_module: GraphModules, which are lazy here anyway."""

from _fusescope import partial_modules as _partial

from .graph_module import GraphModule, _make_graph_module  # noqa: F401

_LazyGraphModule = GraphModule


__getattr__ = _partial.of_pytorch(__name__)
