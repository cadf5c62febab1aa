"""A linear layer for a kernel without beta and alpha."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="packed_linear")


def search(bias, x, w):
    return torch.relu(torch.addmm(bias, x, w))


def replace(bias, x, w):
    return torch.relu(torch.nn.functional.linear(x, w.t(), bias))


register_replacement(search, replace, [torch.empty(3), torch.empty(2, 5), torch.empty(5, 3)], fwd_only, patterns)
