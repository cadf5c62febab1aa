"""A norm and the static quantization after it, as one kernel that wants input and weight in one dtype."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("ir", "FRAGMENT")
lib.define("rms_norm(Tensor x, Tensor weight, float epsilon) -> Tensor")
lib.define("quant(Tensor x, Tensor scale) -> Tensor")
lib.define("rms_norm_quant(Tensor x, Tensor weight, Tensor scale, float epsilon) -> Tensor")


def rms_norm(x, weight, epsilon):
    f = x.float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + epsilon) * weight).to(x.dtype)


def quant(x, scale):
    return torch.clamp(torch.round(x.float() / scale), -128, 127).to(torch.int8)


lib.impl("rms_norm", rms_norm, "CompositeExplicitAutograd")
lib.impl("quant", quant, "CompositeExplicitAutograd")
lib.impl("rms_norm_quant", lambda x, w, s, e: quant(rms_norm(x, w, e), s), "CompositeExplicitAutograd")
ops = torch.ops.ir
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")


def search(x, weight, scale):
    return ops.quant(ops.rms_norm(x, weight, 1e-6), scale)


def replace(x, weight, scale):
    return ops.rms_norm_quant(x, weight, scale, 1e-6)


inputs = [torch.empty(5, 16, dtype=torch.bfloat16), torch.empty(16, dtype=torch.bfloat16), torch.empty(1)]
register_replacement(search, replace, inputs, fwd_only, patterns)
