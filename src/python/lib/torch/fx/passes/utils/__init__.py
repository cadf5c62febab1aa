"""torch.fx.passes.utils."""

from _fusescope import partial_modules as _partial

from .common import HolderModule, compare_graphs, lift_subgraph_as_module  # noqa: F401

__getattr__ = _partial.of_pytorch(__name__)
