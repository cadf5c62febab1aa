"""A sum over ranks, an addition and a norm, as one kernel. Another backend of the models adds in the other order."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("hf", "FRAGMENT")
lib.define("all_reduce(Tensor x) -> Tensor")
lib.define("add_norm(Tensor x, Tensor residual, Tensor weight, float epsilon) -> (Tensor, Tensor)")
lib.define("norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
lib.define("reduce_add_norm(Tensor x, Tensor residual, Tensor weight, float epsilon) -> (Tensor, Tensor)")


def norm(x, weight, epsilon):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


def add_norm(x, residual, weight, epsilon):
    return norm(x + residual, weight, epsilon), x + residual


lib.impl("all_reduce", lambda x: x * 2, "CompositeExplicitAutograd")
lib.impl("norm", norm, "CompositeExplicitAutograd")
lib.impl("add_norm", add_norm, "CompositeExplicitAutograd")
lib.impl("reduce_add_norm", lambda x, r, w, e: add_norm(x * 2, r, w, e), "CompositeExplicitAutograd")
ops = torch.ops.hf
patterns = PatternMatcherPass(pass_name="allreduce_norm_fusion")


def search(x, residual, weight):
    out, total = ops.add_norm(ops.all_reduce(x), residual, weight, 1e-5)
    return out, total


def replace(x, residual, weight):
    out, total = ops.reduce_add_norm(x, residual, weight, 1e-5)
    return out, total


register_replacement(
    search, replace, [torch.empty(4, 16), torch.empty(4, 16), torch.empty(16)], fwd_only, patterns
)
