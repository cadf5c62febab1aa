"""All-reduce and norm. In layers with experts the value is aliased in between."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("comm", "FRAGMENT")
lib.define("all_reduce(Tensor x, str group) -> Tensor")
lib.impl("all_reduce", lambda x, group: x * 2, "CompositeExplicitAutograd")
patterns = PatternMatcherPass(pass_name="sequence_parallelism")


def search(x, weight):
    return torch.ops.comm.all_reduce(x, "tp:0") * weight


def replace(x, weight):
    return torch.ops.comm.all_reduce(x * weight, "tp:0")


register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16)], fwd_only, patterns)
