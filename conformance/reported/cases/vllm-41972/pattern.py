"""A sum over ranks and a norm without residual, by a kernel that always adds one."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("fused", "FRAGMENT")
lib.define("all_reduce(Tensor x) -> Tensor")
lib.define("norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
lib.define("reduce_add_norm(Tensor x, Tensor residual, Tensor weight, float epsilon) -> (Tensor, Tensor)")


def norm(x, weight, epsilon):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


lib.impl("all_reduce", lambda x: x * 2, "CompositeExplicitAutograd")
lib.impl("norm", norm, "CompositeExplicitAutograd")
lib.impl("reduce_add_norm", lambda x, r, w, e: (norm(x * 2 + r, w, e), x * 2 + r), "CompositeExplicitAutograd")
ops = torch.ops.fused
patterns = PatternMatcherPass(pass_name="allreduce_norm_fusion")


def search(x, weight):
    total = ops.all_reduce(x)
    return ops.norm(total, weight, 1e-5), total


def replace(x, weight):
    fused = ops.reduce_add_norm(x, torch.empty_like(x), weight, 1e-5)
    return fused[0], fused[1]


register_replacement(search, replace, [torch.empty(5, 16), torch.empty(16)], fwd_only, patterns)
