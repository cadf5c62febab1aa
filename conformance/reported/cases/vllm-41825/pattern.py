"""A norm and the quantization after it, as one kernel. In the model one norm feeds two projections."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("rocm", "FRAGMENT")
lib.define("norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
lib.define("quantize(Tensor x, Tensor scale) -> Tensor")
lib.define("norm_quant(Tensor x, Tensor weight, Tensor scale, float epsilon) -> Tensor")


def norm(x, weight, epsilon):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


def quantize(x, scale):
    return torch.clamp(torch.round(x * scale), -128, 127).to(torch.int8)


lib.impl("norm", norm, "CompositeExplicitAutograd")
lib.impl("quantize", quantize, "CompositeExplicitAutograd")
lib.impl("norm_quant", lambda x, w, s, e: quantize(norm(x, w, e), s), "CompositeExplicitAutograd")
ops = torch.ops.rocm
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")


def search(x, weight, scale):
    return ops.quantize(ops.norm(x, weight, 1e-6), scale)


def replace(x, weight, scale):
    return ops.norm_quant(x, weight, scale, 1e-6)


register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16), torch.empty(1)], fwd_only, patterns)
