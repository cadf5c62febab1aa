"""Two models of one process register the same patterns: the target and its draft."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="add_relu_fusion")


class AddRelu:
    def register(self):
        def pattern(x, y):
            return torch.relu(x + y)

        def replacement(x, y):
            return torch.clamp_min(x + y, 0)

        register_replacement(pattern, replacement, [torch.empty(4, 8), torch.empty(4, 8)], fwd_only, patterns)


for model in ("target", "draft"):
    AddRelu().register()
