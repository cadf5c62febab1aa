"""All-reduce, the residual's addition and the norm, as one kernel."""
import torch
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("dist", "FRAGMENT")
lib.define("all_reduce(Tensor x, str strategy) -> Tensor")
lib.define("rms_norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
lib.define("all_reduce_add_norm(Tensor x, Tensor residual, Tensor weight, float epsilon, str strategy) -> (Tensor, Tensor)")


def rms_norm(x, weight, epsilon):
    f = x.float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + epsilon)).to(x.dtype) * weight


def all_reduce_add_norm(x, residual, weight, epsilon, strategy):
    total = residual + x * 2
    return rms_norm(total, weight, epsilon), total


lib.impl("all_reduce", lambda x, strategy: x * 2, "CompositeExplicitAutograd")
lib.impl("rms_norm", rms_norm, "CompositeExplicitAutograd")
lib.impl("all_reduce_add_norm", all_reduce_add_norm, "CompositeExplicitAutograd")
ops = torch.ops.dist
patterns = PatternMatcherPass(pass_name="all_reduce_norm")


def trace(fn, args, **options):
    """As Inductor's graphs are after grad: with reshape instead of view."""
    gm = fwd_only(fn, args, **options)
    view_to_reshape(gm)
    return gm


def search(x, residual, weight):
    total = residual + ops.all_reduce(x, "AUTO")
    return ops.rms_norm(total, weight, 1e-6), total


def replace(x, residual, weight):
    return ops.all_reduce_add_norm(x, residual, weight, 1e-6, "AUTO")


half = dict(dtype=torch.bfloat16)
inputs = [torch.empty(2, 3, 16, **half), torch.empty(2, 3, 16, **half), torch.empty(16, **half)]
register_replacement(search, replace, inputs, trace, patterns)
