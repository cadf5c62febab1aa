"""A product with a scale and a sum, as one kernel. Models scale the output of their experts by another factor."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("experts", "FRAGMENT")
lib.define("muls_add(Tensor x, Tensor y, float scale) -> Tensor")
lib.impl("muls_add", lambda x, y, scale: x * scale + y, "CompositeExplicitAutograd")
patterns = PatternMatcherPass(pass_name="muls_add_fusion")


class MulsAdd:
    def __init__(self, scale=1.0):
        self.scale = scale

    def register(self, patterns):
        def pattern(x, y):
            return x * self.scale + y

        def replacement(x, y):
            return torch.ops.experts.muls_add(x, y, self.scale)

        register_replacement(pattern, replacement, [torch.empty(2, 64), torch.empty(2, 64)], fwd_only, patterns)


MulsAdd(scale=1.0).register(patterns)
