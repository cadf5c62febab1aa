"""A norm, the addition of a bias and the quantization."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("nrm", "FRAGMENT")
lib.define("norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
lib.define("norm_bias(Tensor x, Tensor weight, Tensor? bias, float epsilon) -> Tensor")


def norm(x, weight, epsilon):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


lib.impl("norm", norm, "CompositeExplicitAutograd")
lib.impl("norm_bias", lambda x, w, b, e: norm(x, w, e) + b, "CompositeExplicitAutograd")
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")


def search(x, weight, bias, scale):
    return (torch.ops.nrm.norm(x, weight, 1e-6) + bias) * scale


def replace(x, weight, bias, scale):
    return torch.ops.nrm.norm_bias(x, weight * scale, bias * scale, 1e-6)


register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16), torch.empty(16), torch.empty(1)], fwd_only, patterns)
