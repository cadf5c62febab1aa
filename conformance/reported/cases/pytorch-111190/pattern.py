"""Masked attention after a transposition of heads, written out."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="attention")


def search(query, key, value, mask):
    query, key, value = (t.permute([0, 2, 1, 3]) for t in (query, key, value))
    scores = torch.matmul(query, key.permute(0, 1, 3, 2)) + mask
    return scores.softmax(dim=-1).matmul(value)


def replace(query, key, value, mask):
    query, key, value = (t.permute([0, 2, 1, 3]) for t in (query, key, value))
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=1.0)


inputs = [torch.empty(2, 4, 8, 16) for _ in range(3)] + [torch.empty(1, 1, 1, 4)]
register_replacement(search, replace, inputs, fwd_only, patterns)
