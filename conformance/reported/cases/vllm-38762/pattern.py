"""All-reduce and the norm with its residual, as one kernel."""
import torch
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("aiter", "FRAGMENT")
lib.define("all_reduce(Tensor x, str group) -> Tensor")
lib.define("add_norm(Tensor x, Tensor residual, Tensor weight, float epsilon) -> (Tensor, Tensor)")
lib.define("all_reduce_add_norm(Tensor x, Tensor residual, Tensor weight, float epsilon, str group) -> (Tensor, Tensor)")


def add_norm(x, residual, weight, epsilon):
    total = x + residual
    f = total.float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + epsilon)).to(x.dtype) * weight, total


lib.impl("all_reduce", lambda x, group: x * 2, "CompositeExplicitAutograd")
lib.impl("add_norm", add_norm, "CompositeExplicitAutograd")
lib.impl("all_reduce_add_norm", lambda x, r, w, e, group: add_norm(x * 2, r, w, e), "CompositeExplicitAutograd")
ops = torch.ops.aiter
patterns = PatternMatcherPass(pass_name="all_reduce_fusion")


def trace(fn, args, **options):
    """As Inductor's graphs are after grad: with reshape instead of view."""
    gm = fwd_only(fn, args, **options)
    view_to_reshape(gm)
    return gm


def search(x, residual, weight):
    return ops.add_norm(ops.all_reduce(x, "tp"), residual, weight, 1e-6)


def replace(x, residual, weight):
    return ops.all_reduce_add_norm(x, residual, weight, 1e-6, "tp")


inputs = [torch.empty(4, 16), torch.empty(4, 16), torch.empty(16)]
register_replacement(search, replace, inputs, trace, patterns)
