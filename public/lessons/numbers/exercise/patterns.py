import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


def search(x):
    amax = x.abs().amax(-1, keepdim=True)
    scale = torch.exp2(torch.ceil(torch.log2(amax / 448.0)))
    return x / scale, scale


def replace(x):
    amax = x.abs().amax(-1, keepdim=True)
    scale = amax / 448.0
    return x * torch.reciprocal(scale), scale


register_replacement(search, replace, [torch.empty(4, 8)], fwd_only, patterns)
