import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


def search(x, w):
    return x * w * w


def replace(x, w):
    wide = w.float()
    return (x.float() * wide * wide).to(torch.bfloat16)


examples = [torch.empty(4, 4, dtype=torch.bfloat16), torch.empty(4, dtype=torch.bfloat16)]
register_replacement(search, replace, examples, fwd_only, patterns)
