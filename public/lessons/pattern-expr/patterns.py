import torch
from torch._inductor.pattern_matcher import (
    CallFunction,
    Ignored,
    KeywordArg,
    PatternMatcherPass,
    register_graph_pattern,
)

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


@register_graph_pattern(
    CallFunction(aten.relu.default, CallFunction(aten.mul.Tensor, KeywordArg("x"), 2.0, _users=1)),
    pass_dict=patterns,
)
def scaled_relu(match, x):
    match.replace_by_example(lambda x: torch.clamp_min(x * 2.0, 0), [x])
