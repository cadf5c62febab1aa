"""A norm and a dynamic quantization to 8 bits, as one kernel. A model with weights of 4 bits asks for another type."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("w4", "FRAGMENT")
lib.define("norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
lib.define("dynamic_quant(Tensor x, *, ScalarType? dst_type=None) -> (Tensor, Tensor)")
lib.define("norm_dynamic_quant(Tensor x, Tensor weight, float epsilon) -> (Tensor, Tensor)")


def norm(x, weight, epsilon):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


def dynamic_quant(x, *, dst_type=None):
    scale = x.abs().amax(-1, keepdim=True) / 127
    return torch.round(x / scale).to(torch.int8), scale


lib.impl("norm", norm, "CompositeExplicitAutograd")
lib.impl("dynamic_quant", dynamic_quant, "CompositeExplicitAutograd")
lib.impl("norm_dynamic_quant", lambda x, w, e: dynamic_quant(norm(x, w, e)), "CompositeExplicitAutograd")
ops = torch.ops.w4
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")


def search(x, weight):
    out, scale = ops.dynamic_quant(ops.norm(x, weight, 1e-5))
    return out, scale


def replace(x, weight):
    out, scale = ops.norm_dynamic_quant(x, weight, 1e-5)
    return out, scale


register_replacement(search, replace, [torch.empty(2, 8), torch.empty(8)], fwd_only, patterns)
