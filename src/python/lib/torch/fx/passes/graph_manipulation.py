"""Replaced targets and sizes of nodes in bytes (torch.fx.passes.graph_manipulation)."""

from typing import NamedTuple

import torch
from _fusescope import partial_modules as _partial
from torch.fx.graph import Graph
from torch.fx.node import map_arg
from torch.fx.passes.shape_prop import ShapeProp


def replace_target_nodes_with(fx_module, old_op, old_target, new_op, new_target):
    """Gives the module a new graph, in which each node of this op and target has the new ones."""
    graph, made = Graph(), {}
    for node in fx_module.graph.nodes:
        if node.op == old_op and node.target == old_target:
            args, kwargs = map_arg(node.args, made.__getitem__), map_arg(node.kwargs, made.__getitem__)
            made[node] = graph.create_node(new_op, new_target, args, kwargs, node.name)
        else:
            made[node] = graph.node_copy(node, made.__getitem__)
    fx_module.graph = graph


class size_bytes(NamedTuple):
    output_size: int
    total_size: int


def get_size_of_all_nodes(fx_module, args=None):
    if args is not None:
        ShapeProp(fx_module).propagate(*args)
    for node in fx_module.graph.nodes:
        if node.op == "output":
            break
        node.size_bytes = get_size_of_node(fx_module, node)


def get_tensor_meta(node):
    meta = node.meta.get("tensor_meta")
    if not meta:
        raise RuntimeError(
            f"Node {node} has no tensor metadata associated with it! Check that shape propagation has run."
        )
    return meta


def get_size_of_node(fx_module, node):
    meta = get_tensor_meta(node)
    outputs = meta.shape.numel()
    called = dict(fx_module.named_modules())[node.target].parameters() if node.op == "call_module" else ()
    each = torch.empty(0, dtype=meta.dtype).element_size()
    return size_bytes(each * outputs, each * (outputs + sum(p.numel() for p in called)))


__getattr__ = _partial.of_pytorch(__name__, listed=False)
