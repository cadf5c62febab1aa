"""A handler that edits a node in place: nothing computes the fake tensors behind it again."""

import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


@register_graph_pattern(CallFunction(aten.mul.Tensor, KeywordArg("x"), KeywordArg("w")), pass_dict=patterns)
def widen(match, x, w):
    node = match.output_node()
    with match.graph.inserting_before(node):
        wide = match.graph.call_function(torch.ops.prims.convert_element_type.default, (x, torch.float32))
        wide.meta["val"] = x.meta["val"].to(torch.float32)
    node.update_arg(0, wide)
