"""executorch.exir.passes: what passes of backends call of them."""

from torch.fx import GraphModule
from torch.fx.passes.infra.pass_base import PassResult


def dead_code_elimination_pass(graph_module):
    """Erases what nothing uses, in the graph and in its branches."""
    modified = False
    for module in graph_module.modules():
        if isinstance(module, GraphModule):
            modified |= bool(module.graph.eliminate_dead_code())
            module.recompile()
    return PassResult(graph_module, modified)
