import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("lesson", "DEF")
lib.define(
    "group_quant(Tensor input, Tensor! q, Tensor! s, int group_size, bool ue8m0, bool transposed, bool tma) -> ()"
)
lib.define(
    "relu_group_quant(Tensor input, Tensor! q, Tensor! s, int group_size, bool ue8m0, bool transposed, bool tma) -> ()"
)
for name in ("group_quant", "relu_group_quant"):
    torch.library.register_fake(f"lesson::{name}", lambda *args, **kwargs: None, lib=lib)
ops = torch.ops.lesson

GROUP_SIZES = [128, 64]
patterns = PatternMatcherPass(pass_name="patterns")


class GroupQuantPattern:
    def __init__(self, group_size, ue8m0, transposed, tma):
        self.options = dict(group_size=group_size, ue8m0=ue8m0, transposed=transposed, tma=tma)

    def register(self):
        options = self.options

        def search(x, q, s):
            quant = auto_functionalized(ops.group_quant.default, input=torch.relu(x), q=q, s=s, **options)
            return quant[1], quant[2]

        def replace(x, q, s):
            fused = auto_functionalized(ops.relu_group_quant.default, input=x, q=q, s=s, **options)
            return fused[1], fused[2]

        examples = [
            torch.empty(4, 256, dtype=torch.bfloat16),
            torch.empty(4, 256, dtype=torch.float8_e4m3fn),
            torch.empty(4, 2),
        ]
        register_replacement(search, replace, examples, fwd_only, patterns)


for group_size in GROUP_SIZES:
    for ue8m0 in (False, True):
        for transposed in (False, True):
            for tma in (False, True):
                GroupQuantPattern(group_size, ue8m0, transposed, tma).register()
