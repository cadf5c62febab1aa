"""A norm with its residual and the quantization after it, as one kernel."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("_C_ascend", "FRAGMENT")
lib.define("add_rms_norm(Tensor x, Tensor residual, Tensor weight, float epsilon=1e-6) -> (Tensor, Tensor)")
lib.define("add_rms_norm_bias(Tensor x, Tensor residual, Tensor weight, Tensor? bias=None, float epsilon=1e-6) -> (Tensor, Tensor)")
lib.define("quantize(Tensor x, Tensor scale) -> Tensor")


def add_rms_norm(x, residual, weight, epsilon=1e-6):
    total = x + residual
    f = total.float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + epsilon)).to(x.dtype) * weight, total


def add_rms_norm_bias(x, residual, weight, bias=None, epsilon=1e-6):
    out, total = add_rms_norm(x, residual, weight, epsilon)
    return (out if bias is None else out + bias), total


def quantize(x, scale):
    return torch.clamp(torch.round(x.float() * scale), -128, 127).to(torch.int8)


for name, fn in {"add_rms_norm": add_rms_norm, "add_rms_norm_bias": add_rms_norm_bias, "quantize": quantize}.items():
    lib.impl(name, fn, "CompositeExplicitAutograd")
ops = torch.ops._C_ascend
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")


class AddRMSNormQuant:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def register(self):
        def pattern(x, residual, weight, scale):
            out, total = ops.add_rms_norm(x, residual, weight, self.epsilon)
            return ops.quantize(out, scale), total

        def replacement(x, residual, weight, scale):
            out, total = ops.add_rms_norm_bias(x, residual, weight, None, self.epsilon)
            return torch.clamp(torch.round(out.float() * scale), -128, 127).to(torch.int8), total

        inputs = [torch.empty(2, 8), torch.empty(2, 8), torch.empty(8), torch.empty(1)]
        register_replacement(pattern, replacement, inputs, fwd_only, patterns)


for epsilon in (1e-5, 1e-6):
    AddRMSNormQuant(epsilon).register()
