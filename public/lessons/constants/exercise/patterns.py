import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


lib = torch.library.Library("lesson", "DEF")
lib.define("rms_norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
torch.library.register_fake("lesson::rms_norm", lambda x, weight, epsilon: torch.empty_like(x), lib=lib)

EPSILON = 1e-5


def search(x, w):
    variance = x.pow(2).mean(-1, keepdim=True)
    return x * torch.rsqrt(variance + EPSILON) * w


def replace(x, w):
    return torch.ops.lesson.rms_norm(x, w, EPSILON)


register_replacement(search, replace, [torch.empty(5, 4), torch.empty(4)], fwd_only, patterns)
