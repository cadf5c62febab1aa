"""A pattern with an argument that its code does not use."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="add_relu")


def search(x, y, shape):
    return torch.relu(x + y)


def replace(x, y, shape):
    return torch.clamp_min(x + y, 0)


register_replacement(search, replace, [torch.empty(4, 4), torch.empty(4, 4), torch.empty(1)], fwd_only, patterns)
