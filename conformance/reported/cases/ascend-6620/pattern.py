"""A norm and the quantization after it: with a bias by one operator, without one by another, older operator."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("npu_ops", "FRAGMENT")
lib.define("norm(Tensor x, Tensor weight, float epsilon=1e-6) -> Tensor")
lib.define("norm_bias(Tensor x, Tensor weight, Tensor? bias=None, float epsilon=1e-6) -> Tensor")
lib.define("quantize(Tensor x, Tensor scale) -> Tensor")
lib.define("norm_quant(Tensor x, Tensor weight, Tensor scale, Tensor? bias=None, float epsilon=1e-6) -> Tensor")


def norm_bias(x, weight, bias=None, epsilon=1e-6):
    out = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight
    return out if bias is None else out + bias


def quantize(x, scale):
    return torch.clamp(torch.round(x * scale), -128, 127).to(torch.int8)


def norm_quant(x, weight, scale, bias=None, epsilon=1e-6):
    return quantize(norm_bias(x, weight, bias, epsilon), scale)


lib.impl("norm", lambda x, weight, epsilon=1e-6: norm_bias(x, weight, None, epsilon), "CompositeExplicitAutograd")
for name, fn in {"norm_bias": norm_bias, "quantize": quantize, "norm_quant": norm_quant}.items():
    lib.impl(name, fn, "CompositeExplicitAutograd")
ops = torch.ops.npu_ops
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")


class NormQuant:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def register(self):
        def pattern(x, weight, scale):
            return ops.quantize(ops.norm(x, weight, self.epsilon), scale)

        def replacement(x, weight, scale):
            return ops.norm_quant(x, weight, scale, epsilon=self.epsilon)

        inputs = [torch.empty(2, 8), torch.empty(8), torch.empty(1)]
        register_replacement(pattern, replacement, inputs, fwd_only, patterns)


class NormQuantWithBias:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def register(self):
        def pattern(x, weight, scale, bias):
            return ops.quantize(ops.norm_bias(x, weight, bias, self.epsilon), scale)

        def replacement(x, weight, scale, bias):
            return ops.norm_quant(x, weight, scale, bias, epsilon=self.epsilon)

        inputs = [torch.empty(2, 8), torch.empty(8), torch.empty(1), torch.empty(8)]
        register_replacement(pattern, replacement, inputs, fwd_only, patterns)


for epsilon in (1e-5, 1e-6):
    NormQuant(epsilon).register()
    NormQuantWithBias(epsilon).register()
