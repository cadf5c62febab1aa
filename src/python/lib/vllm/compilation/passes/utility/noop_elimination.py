"""vllm.compilation.passes.utility.noop_elimination: removes reshapes and slices that change nothing."""

import torch
from torch.fx import Node

from ..fx_utils import is_func
from ..vllm_inductor_pass import VllmInductorPass, logger

_aten = torch.ops.aten


def _shape(node):
    return tuple(node.meta["val"].shape) if isinstance(node, Node) and "val" in node.meta else None


class NoOpEliminationPass(VllmInductorPass):
    @VllmInductorPass.time_and_log
    def __call__(self, graph):
        removed = 0
        for node in list(graph.nodes):
            if is_func(node, _aten.reshape.default) and is_func(node.args[0], _aten.reshape.default):
                inner = node.args[0]
                node.update_arg(0, inner.args[0])
                if not inner.users:
                    graph.erase_node(inner)
                    removed += 1
            if not any(is_func(node, op) for op in (_aten.reshape.default, _aten.slice.Tensor)):
                continue
            before, after = _shape(node.args[0]), _shape(node)
            if before is not None and before == after:
                node.replace_all_uses_with(node.args[0])
                graph.erase_node(node)
                removed += 1
        logger.debug("Removed %s no-op reshapes and slices", removed)
