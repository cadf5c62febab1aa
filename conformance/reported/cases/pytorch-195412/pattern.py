"""Scaled scores and their softmax."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="attention")


def search(q, k, scale):
    return torch.sigmoid(torch.bmm(q, k).div(scale))


def replace(q, k, scale):
    return torch.sigmoid(torch.bmm(q / scale, k))


inputs = [torch.empty(2, 3, 5), torch.empty(2, 5, 3)]
register_replacement(search, replace, inputs, fwd_only, patterns, scalar_workaround={"scale": 3.0})
