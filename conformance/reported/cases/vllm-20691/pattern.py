"""A norm that writes its result; the pattern returns the wrong item."""
import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="norm_fusion")


def search(result, x, weight):
    norm = auto_functionalized(torch.ops._C.rms_norm.default, result=result, input=x, weight=weight, epsilon=1e-6)
    return norm[0]


def replace(result, x, weight):
    return torch.nn.functional.rms_norm(x, (x.shape[-1],), weight, 1e-6)


half = dict(dtype=torch.bfloat16)
inputs = [torch.empty(4, 16, **half), torch.empty(4, 16, **half), torch.empty(16, **half)]
register_replacement(search, replace, inputs, fwd_only, patterns)
