"""A norm with its quantization, by a kernel that can quantize twice."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("card", "FRAGMENT")
lib.define("add_norm(Tensor x, Tensor residual, Tensor weight) -> (Tensor, Tensor)")
lib.define("quant(Tensor x) -> (Tensor, Tensor)")
lib.define(
    "add_norm_quant(Tensor x, Tensor residual, Tensor weight, *, Tensor? smooth1=None, Tensor? smooth2=None,"
    " bool[2] output_mask) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"
)


def codes(x):
    return x.new_empty(x.shape, dtype=torch.int8)


def scales(x):
    return x.new_empty(x.shape[:-1])


def quantized_twice(x, residual, weight, *, smooth1=None, smooth2=None, output_mask):
    return codes(x), codes(x), torch.empty_like(x), scales(x), scales(x)


for name, fn in {
    "add_norm": lambda x, residual, weight: (torch.empty_like(x), torch.empty_like(x)),
    "quant": lambda x: (codes(x), scales(x)),
    "add_norm_quant": quantized_twice,
}.items():
    torch.library.register_fake("card::" + name, fn, lib=lib)
ops = torch.ops.card
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")


def search(x, residual, weight):
    normed, added = ops.add_norm(x, residual, weight)
    q, scale = ops.quant(normed)
    return q, scale, added


def replace(x, residual, weight):
    out = ops.add_norm_quant(x, residual, weight, output_mask=[True, True])
    return out[0], out[3], out[2]


inputs = [torch.empty(5, 16), torch.empty(5, 16), torch.empty(16)]
register_replacement(search, replace, inputs, fwd_only, patterns)
