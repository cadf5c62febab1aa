"""A sum over ranks and a norm, as one kernel. The layer came to pass one more argument of the norm, always."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("ir2", "FRAGMENT")
lib.define("all_reduce(Tensor x) -> Tensor")
lib.define("norm(Tensor x, Tensor weight, float epsilon, int? size=-1) -> Tensor")
lib.define("reduce_norm(Tensor x, Tensor weight, float epsilon) -> Tensor")


def norm(x, weight, epsilon, size=-1):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


lib.impl("all_reduce", lambda x: x * 2, "CompositeExplicitAutograd")
lib.impl("norm", norm, "CompositeExplicitAutograd")
lib.impl("reduce_norm", lambda x, w, e: norm(x * 2, w, e), "CompositeExplicitAutograd")
ops = torch.ops.ir2
patterns = PatternMatcherPass(pass_name="allreduce_norm_fusion")


def search(x, weight):
    return ops.norm(ops.all_reduce(x), weight, 1e-5)


def replace(x, weight):
    return ops.reduce_norm(x, weight, 1e-5)


register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16)], fwd_only, patterns)
