"""An integer product and its two scales."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="smooth_quant")


def search(x, w, a, b):
    return torch._int_mm(x, w).to(torch.bfloat16) * a * b


def replace(x, w, a, b):
    return torch._int_mm(x, w).to(torch.bfloat16) * (a * b)


inputs = [torch.empty(17, 8, dtype=torch.int8), torch.empty(8, 8, dtype=torch.int8)]
inputs += [torch.empty(17, 1, dtype=torch.bfloat16), torch.empty(8, dtype=torch.bfloat16)]
register_replacement(search, replace, inputs, fwd_only, patterns)
