"""A sum over ranks and the norm with residual after it, as one kernel. The last layer has no use for the residual."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("aiter", "FRAGMENT")
lib.define("all_reduce(Tensor x) -> Tensor")
lib.define("add_norm(Tensor x, Tensor residual, Tensor weight, float epsilon) -> (Tensor, Tensor)")
lib.define("reduce_add_norm(Tensor x, Tensor residual, Tensor weight, float epsilon) -> (Tensor, Tensor)")


def add_norm(x, residual, weight, epsilon):
    total = x + residual
    return total * torch.rsqrt(total.pow(2).mean(-1, keepdim=True) + epsilon) * weight, total


lib.impl("all_reduce", lambda x: x * 2, "CompositeExplicitAutograd")
lib.impl("add_norm", add_norm, "CompositeExplicitAutograd")
lib.impl("reduce_add_norm", lambda x, r, w, e: add_norm(x * 2, r, w, e), "CompositeExplicitAutograd")
ops = torch.ops.aiter
patterns = PatternMatcherPass(pass_name="allreduce_norm_fusion")


class AllReduceAddNorm:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def register(self):
        def pattern(residual, x, weight):
            out, residual = ops.add_norm(ops.all_reduce(x), residual, weight, self.epsilon)
            return out, residual

        def replacement(residual, x, weight):
            fused = ops.reduce_add_norm(x, residual, weight, self.epsilon)
            return fused[0], fused[1]

        inputs = [torch.empty(5, 16), torch.empty(5, 16), torch.empty(16)]
        register_replacement(pattern, replacement, inputs, fwd_only, patterns)


for epsilon in (1e-5, 1e-6):
    AllReduceAddNorm(epsilon).register()
