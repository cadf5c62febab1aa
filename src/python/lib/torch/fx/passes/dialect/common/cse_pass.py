"""torch.fx.passes.dialect.common.cse_pass: of equal calls, the first stays."""

import torch
from torch.fx import Graph, GraphModule, Node
from torch.fx.passes.infra.pass_base import PassBase, PassResult
from torch.utils._pytree import tree_flatten

_RANDOM = (
    "dropout _fused_dropout _standard_gamma bernoulli multinomial native_dropout normal poisson binomial rrelu rand_like "
    "rand randint randn randperm"
)
_IN_PLACE = "add_ sub_ mul_ div_ pow_ lerp_ relu_ sigmoid_ tanh_"
rand_ops = {getattr(torch.ops.aten, name) for name in _RANDOM.split()}
inplace_ops = {getattr(torch.ops.aten, name) for name in _IN_PLACE.split()}


def get_CSE_banned_ops():
    return rand_ops | inplace_ops


class CSEPass(PassBase):
    """Copies the graph without repeated calls; `banned_ops` are packets whose calls all stay."""

    def __init__(self, banned_ops=None):
        self.banned_ops = set() if banned_ops is None else banned_ops

    def call(self, graph_module):
        graph, copies, first = Graph(), {}, {}
        modified = False
        for node in graph_module.graph.nodes:
            key = None if self._stays(node) else _key(node, copies)
            if key is not None and key in first:
                copies[node], modified = first[key], True
                continue
            copies[node] = graph.node_copy(node, copies.__getitem__)
            if key is not None:
                first[key] = copies[node]
        return PassResult(GraphModule(graph_module, graph), True) if modified else PassResult(graph_module, False)

    def _stays(self, node):
        target = getattr(node.target, "overloadpacket", node.target)
        return node.op in ("placeholder", "output", "get_attr") or target in self.banned_ops


def _key(node, copies):
    """Equal for calls that compute the same of the same values."""
    leaves, spec = tree_flatten((node.args, node.kwargs))
    values = [copies[leaf] if isinstance(leaf, Node) else leaf for leaf in leaves]
    # 1, 1.0 and True hash and compare alike there too.
    return node.target, tuple(values), spec
