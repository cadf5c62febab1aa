"""A product whose sum over ranks is scattered, by a kernel that overlaps both."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("overlap", "FRAGMENT")
lib.define("mm_reduce_scatter(Tensor a, Tensor b, str reduce_op, int dim, str group) -> Tensor")


def scattered(a, b, reduce_op, dim, group):
    return (a @ b).new_empty((a.shape[0] // 2, b.shape[1]))


torch.library.register_fake("overlap::mm_reduce_scatter", scattered, lib=lib)
collectives = torch.ops._c10d_functional
patterns = PatternMatcherPass(pass_name="async_tensor_parallel")


def search(x, weight):
    product = torch.mm(x, weight)
    return collectives.wait_tensor(collectives.reduce_scatter_tensor(product, "sum", 2, "0"))


def replace(x, weight):
    return torch.ops.overlap.mm_reduce_scatter(x, weight, "avg", 0, "0")


register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16, 8)], fwd_only, patterns)
