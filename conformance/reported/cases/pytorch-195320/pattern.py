"""Scaled keys, transposed. The pattern is traced before it is registered, as the serialized patterns of Inductor are."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, gen_pattern, register_replacement

patterns = PatternMatcherPass(pass_name="attention")


def search(key, scale):
    return torch.sigmoid(key.permute(0, 1, 3, 2) * scale)


def replace(key, scale):
    return torch.sigmoid(key * scale).permute(0, 1, 3, 2)


inputs = [torch.empty(1, 2, 3, 5), torch.empty(1)]
pattern = gen_pattern(search, inputs, fwd_only)
register_replacement(search, replace, inputs, fwd_only, patterns, search_fn_pattern=pattern)
