"""All-reduce and norm, with the norm as a custom operator."""
import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

C = torch.ops._C
lib = torch.library.Library("comm", "FRAGMENT")
lib.define("all_reduce(Tensor x, str group) -> Tensor")
lib.impl("all_reduce", lambda x, group: x * 2, "CompositeExplicitAutograd")
patterns = PatternMatcherPass(pass_name="sequence_parallelism")


def search(x, weight):
    reduced = torch.ops.comm.all_reduce(x, "tp:0")
    result = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    return auto_functionalized(C.rms_norm.default, result=result, input=reduced, weight=weight, epsilon=1e-6)[1]


def replace(x, weight):
    return torch.nn.functional.rms_norm(torch.ops.comm.all_reduce(x, "tp:0"), (x.shape[-1],), weight, 1e-6)


register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16)], fwd_only, patterns)
