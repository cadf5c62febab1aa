"""Norms of query and key after the split of their projection, and the rotary embedding, as one kernel."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("heads", "FRAGMENT")
lib.define("norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
lib.define("norm_split(Tensor qkv, Tensor q_weight, Tensor k_weight, float epsilon) -> (Tensor, Tensor, Tensor)")


def norm(x, weight, epsilon):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


def norm_split(qkv, q_weight, k_weight, epsilon):
    q, k, v = qkv.split([64, 16, 16], -1)
    return norm(q, q_weight, epsilon), norm(k, k_weight, epsilon), v.clone()


lib.impl("norm", norm, "CompositeExplicitAutograd")
lib.impl("norm_split", norm_split, "CompositeExplicitAutograd")
ops = torch.ops.heads
patterns = PatternMatcherPass(pass_name="qk_norm_fusion")


def search(qkv, q_weight, k_weight):
    q, k, v = qkv.split([64, 16, 16], -1)
    return ops.norm(q, q_weight, 1e-6), ops.norm(k, k_weight, 1e-6), v


def replace(qkv, q_weight, k_weight):
    return ops.norm_split(qkv, q_weight, k_weight, 1e-6)


register_replacement(search, replace, [torch.empty(4, 96), torch.empty(64), torch.empty(16)], fwd_only, patterns)
