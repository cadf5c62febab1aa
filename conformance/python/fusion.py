"""A fusion whose eps is not that of the models in programs.py."""

import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

rms_norm_pass = PatternMatcherPass(pass_name="rms_norm_fusion")


@torch.library.custom_op("mylib::rms_norm", mutates_args=())
def rms_norm(x: torch.Tensor, w: torch.Tensor, eps: float) -> torch.Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w


@rms_norm.register_fake
def _(x, w, eps):
    return torch.empty_like(x)


def search(x, w):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w


def replace(x, w):
    return torch.ops.mylib.rms_norm(x, w, 1e-6)


register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16)], fwd_only, rms_norm_pass)
