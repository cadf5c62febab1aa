"""Masked scores, computed in float32 and cast back."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="attention")


def search(q, k, mask):
    return torch.sigmoid((torch.bmm(q, k) + mask).float()).to(q.dtype)


def replace(q, k, mask):
    return torch.sigmoid((mask + torch.bmm(q, k)).float()).to(q.dtype)


half = dict(dtype=torch.float16)
inputs = [torch.empty(2, 3, 5, **half), torch.empty(2, 5, 3, **half), torch.empty(1, 1, 3, dtype=torch.float16)]
register_replacement(search, replace, inputs, fwd_only, patterns)
