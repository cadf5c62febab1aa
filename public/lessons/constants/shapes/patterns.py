import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


def search(x):
    return torch.relu(x.view(x.shape[0], 2, x.shape[1] // 2))


def replace(x):
    return torch.relu(x).view(x.shape[0], 2, x.shape[1] // 2)


register_replacement(search, replace, [torch.empty(4, 6)], fwd_only, patterns)
