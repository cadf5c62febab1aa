"""A quantization in groups whose scales are row-major in the pattern."""
import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("grp", "FRAGMENT")
lib.define("quant(Tensor input, Tensor! output_q, Tensor! output_s, int group_size) -> ()")
lib.define("relu_quant(Tensor input, Tensor! output_q, Tensor! output_s, int group_size) -> ()")
for name in ("quant", "relu_quant"):
    torch.library.register_fake("grp::" + name, lambda input, output_q, output_s, group_size: None, lib=lib)
ops, FP8 = torch.ops.grp, torch.float8_e4m3fn
patterns = PatternMatcherPass(pass_name="relu_quant_fusion")


def buffers(x):
    return torch.empty(x.shape, dtype=FP8, device=x.device), torch.empty((x.shape[0], x.shape[1] // 128), device=x.device)


def search(x):
    q, s = buffers(x)
    _, q, s = auto_functionalized(ops.quant.default, input=torch.relu(x), output_q=q, output_s=s, group_size=128)
    return q, s


def replace(x):
    q, s = buffers(x)
    _, q, s = auto_functionalized(ops.relu_quant.default, input=x, output_q=q, output_s=s, group_size=128)
    return q, s


register_replacement(search, replace, [torch.empty(4, 512, dtype=torch.bfloat16)], fwd_only, patterns)
