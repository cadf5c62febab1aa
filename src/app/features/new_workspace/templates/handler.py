"""Edits the graph at each match: relu(x * w) becomes clamp_min(x * w, 0)."""
import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern

aten = torch.ops.aten
patterns = PatternMatcherPass()


@register_graph_pattern(
    CallFunction(aten.relu.default, CallFunction(aten.mul.Tensor, KeywordArg("x"), KeywordArg("w"))),
    pass_dict=patterns,
)
def handler(match, x, w):
    relu = match.output_node()
    graph = match.graph
    with graph.inserting_before(relu):
        scaled = graph.call_function(aten.mul.Tensor, (x, w))
        scaled.meta["val"] = relu.meta["val"]
        clamped = graph.call_function(aten.clamp_min.default, (scaled, 0))
        clamped.meta["val"] = relu.meta["val"]
    relu.replace_all_uses_with(clamped)
    match.erase_nodes()
