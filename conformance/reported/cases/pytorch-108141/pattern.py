"""A softmax and the product with the values."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="attention")


def search(w, v):
    return torch.bmm(torch.sigmoid(w), v)


def replace(w, v):
    return torch.bmm(1 / (1 + torch.exp(-w)), v)


register_replacement(search, replace, [torch.empty(2, 3, 3), torch.empty(2, 3, 5)], fwd_only, patterns)
