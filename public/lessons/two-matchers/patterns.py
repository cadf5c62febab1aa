import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten


def search(x):
    return aten.relu.default(aten.mul.Tensor(x, 2.0))


def replacement(x):
    return aten.mul.Tensor(aten.relu.default(x), 2.0)


patterns = PatternMatcherPass()
register_replacement(search, replacement, [torch.empty(8, 4)], fwd_only, patterns)
