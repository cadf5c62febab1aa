"""torch._inductor.fx_passes.post_grad: the functions that trace functions import."""
import torch


def view_to_reshape(gm):
    """Replaces aten.view by aten.reshape, as in a graph after the post-grad passes."""
    for node in gm.graph.find_nodes(op="call_function", target=torch.ops.aten.view.default):
        node.target = torch.ops.aten.reshape.default


def remove_noop_ops(graph):
    """Does nothing: fwd_only already removes no-ops."""


def __getattr__(name):
    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
