"""torch.fx.graph's names."""
from _fusescope.nodes import Graph  # noqa: F401
