"""Norms of query and key after a projection. The sizes are those of one model; another model compiles in the process."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("npux", "FRAGMENT")
lib.define("norm(Tensor x, Tensor weight) -> Tensor")
lib.define("qk_norm(Tensor qkv, Tensor q_weight, Tensor k_weight, int[] sizes) -> (Tensor, Tensor, Tensor)")


def norm(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


def qk_norm(qkv, q_weight, k_weight, sizes):
    q, k, v = qkv.split(sizes, dim=-1)
    return norm(q, q_weight), norm(k, k_weight), v.clone()


lib.impl("norm", norm, "CompositeExplicitAutograd")
lib.impl("qk_norm", qk_norm, "CompositeExplicitAutograd")
ops = torch.ops.npux
patterns = PatternMatcherPass(pass_name="qk_norm_rope")
SIZES = [4096, 1024, 1024]


def search(qkv, q_weight, k_weight):
    q, k, v = qkv.split(SIZES, dim=-1)
    return ops.norm(q, q_weight), ops.norm(k, k_weight), v


def replace(qkv, q_weight, k_weight):
    return ops.qk_norm(qkv, q_weight, k_weight, SIZES)


inputs = [torch.empty(5, 6144), torch.empty(4096), torch.empty(1024)]
register_replacement(search, replace, inputs, fwd_only, patterns)
