import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


def search(x, y):
    return torch.relu(x + y)


def replace(x, y):
    # Saves a buffer, and writes to a value that the graph may still need.
    total = x + y
    return aten.relu_.default(total)


register_replacement(search, replace, [torch.empty(4, 4), torch.empty(4, 4)], fwd_only, patterns)
