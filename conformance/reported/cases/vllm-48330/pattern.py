"""A norm whose kernel wants input and weight in one dtype: extra_check refuses other matches."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="norm_fusion")


def same_dtype(match):
    x, weight = (match.kwargs[name].meta["val"] for name in ("x", "weight"))
    return x.dim() == 2 and x.dtype == weight.dtype


def search(x, weight):
    f = x.float()
    return f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6) * weight.float()


def replace(x, weight):
    return torch.nn.functional.rms_norm(x.float(), (x.shape[-1],), weight.float(), 1e-6)


inputs = [torch.empty(4, 16, dtype=torch.bfloat16), torch.empty(16, dtype=torch.float16)]
register_replacement(search, replace, inputs, fwd_only, patterns, extra_check=lambda match: same_dtype(match))
