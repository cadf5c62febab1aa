"""A linear layer without bias and an activation."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="linear_relu")


def search(x, w):
    return torch.relu(torch.mm(x, w))


def replace(x, w):
    return torch.clamp_min(torch.mm(x, w), 0)


register_replacement(search, replace, [torch.empty(3, 5), torch.empty(5, 3)], fwd_only, patterns)
