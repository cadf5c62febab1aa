"""All-reduce, a reshape and the addition of the residual."""
import torch
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("comm", "FRAGMENT")
lib.define("all_reduce(Tensor x, str group) -> Tensor")
lib.impl("all_reduce", lambda x, group: x * 2, "CompositeExplicitAutograd")
patterns = PatternMatcherPass(pass_name="all_reduce_fusion")


def trace(fn, args, **options):
    """As Inductor's graphs are after grad: with reshape instead of view."""
    gm = fwd_only(fn, args, **options)
    view_to_reshape(gm)
    return gm


def search(x, residual):
    reduced = torch.ops.comm.all_reduce(x, "tp:0")
    return reduced.reshape(-1, x.shape[-1]) + residual


def replace(x, residual):
    return torch.ops.comm.all_reduce(x.reshape(-1, x.shape[-1]), "tp:0") + residual


register_replacement(search, replace, [torch.empty(3, 2, 5), torch.empty(6, 5)], trace, patterns)
