"""A sum over ranks, the addition of features, and a norm, with each rank normalizing its part."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("seq", "FRAGMENT")
lib.define("all_reduce(Tensor x) -> Tensor")
lib.define("residual_for(Tensor x, Tensor residual) -> Tensor")
lib.define("add_norm(Tensor x, Tensor residual, Tensor weight) -> (Tensor, Tensor)")
lib.define("reduce_add_norm(Tensor x, Tensor features, Tensor residual, Tensor weight) -> (Tensor, Tensor)")


def add_norm(x, residual, weight):
    total = x + residual
    return total * torch.rsqrt(total.pow(2).mean(-1, keepdim=True) + 1e-6) * weight, total


lib.impl("all_reduce", lambda x: x * 2, "CompositeExplicitAutograd")
lib.impl("residual_for", lambda x, residual: residual + x * 0, "CompositeExplicitAutograd")
lib.impl("add_norm", add_norm, "CompositeExplicitAutograd")
lib.impl("reduce_add_norm", lambda x, f, r, w: add_norm(x * 2 + f, r, w), "CompositeExplicitAutograd")
ops = torch.ops.seq
patterns = PatternMatcherPass(pass_name="sequence_parallelism")


def search(x, features, residual, weight):
    total = ops.all_reduce(x)
    added = total + features
    part = ops.residual_for(total, residual)
    return ops.add_norm(added, part, weight)


def replace(x, features, residual, weight):
    return ops.reduce_add_norm(x, features, residual, weight)


register_replacement(
    search, replace, [torch.empty(4, 16), torch.empty(4, 16), torch.empty(4, 16), torch.empty(16)], fwd_only, patterns
)
