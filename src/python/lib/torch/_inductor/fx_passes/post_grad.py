"""torch._inductor.fx_passes.post_grad: the functions that trace functions import."""

import torch
from _fusescope import engine
from torch._inductor.pattern_matcher import PatternMatcherPass
from torch._inductor import pattern_matcher
from torch.fx.experimental.symbolic_shapes import statically_known_true, sym_eq
from . import names_of

# Applied in this order.
pass_patterns = [PatternMatcherPass._of_library(f"post_grad.pass_patterns[{i}]") for i in range(3)]


def register_lowering_pattern(pattern, extra_check=pattern_matcher._return_true, pass_number=1, **output_metadata):
    return pattern_matcher.register_lowering_pattern(
        pattern, extra_check, pass_dict=pass_patterns[pass_number], **output_metadata
    )


def view_to_reshape(gm):
    """Replaces aten.view by aten.reshape, as in a graph after the post-grad passes."""
    for node in gm.graph.find_nodes(op="call_function", target=torch.ops.aten.view.default):
        node.target = torch.ops.aten.reshape.default


def remove_noop_ops(graph):
    """Replaces each node that changes nothing by its input: the engine finds them, as it does for Inductor's own pass."""
    nodes = {node.name: node for node in graph.nodes}
    names = engine.graph_noops(graph._table.number)
    for name, source in zip(names[::2], names[1::2]):
        nodes[name].replace_all_uses_with(nodes[source])
        graph.erase_node(nodes[name])


def remove_assert_ops(graph):
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten._assert_tensor_metadata.default):
        graph.erase_node(node)


def same_meta(node1, node2):
    """True if the values have equal sizes, strides, dtype and device. Fakes are strided."""
    a, b = node1.meta.get("val"), node2.meta.get("val")
    if not (isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)):
        return False
    equal = [
        statically_known_true(sym_eq(tuple(x), tuple(y))) for x, y in ((a.size(), b.size()), (a.stride(), b.stride()))
    ]
    return all(equal) and a.dtype == b.dtype and a.device == b.device


__getattr__ = names_of(__name__)
