import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="patterns")


def search(x):
    return x.clone()


def replace(x):
    return torch.ops.aten.alias(x)


register_replacement(search, replace, [torch.empty(4, 4)], fwd_only, patterns)
