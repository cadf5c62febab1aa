"""Scores and their softmax, traced in float32."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="attention")


def search(q, k):
    scores = torch.bmm(q, k)
    scores = torch.exp(scores - scores.amax(-1, keepdim=True))
    return scores / scores.sum(-1, keepdim=True)


def replace(q, k):
    return torch.bmm(q, k).softmax(-1)


register_replacement(search, replace, [torch.empty(2, 3, 5), torch.empty(2, 5, 3)], fwd_only, patterns)
