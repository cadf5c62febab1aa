import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized, auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="patterns")
lib = torch.library.Library("lesson", "DEF")
lib.define("rms_norm(Tensor! result, Tensor input, Tensor weight, float epsilon) -> ()")
lib.define("quant(Tensor! result, Tensor input, Tensor scale) -> ()")
lib.define("rms_norm_quant(Tensor! result, Tensor input, Tensor weight, Tensor scale, float epsilon) -> ()")
torch.library.register_fake("lesson::rms_norm", lambda result, input, weight, epsilon: None, lib=lib)
torch.library.register_fake("lesson::quant", lambda result, input, scale: None, lib=lib)
torch.library.register_fake("lesson::rms_norm_quant", lambda result, input, weight, scale, epsilon: None, lib=lib)
ops = torch.ops.lesson

EPSILON = 1e-5


def search(buffer, result, input, weight, scale):
    normed = auto_functionalized_v2(
        ops.rms_norm.default, input=input, weight=weight, epsilon=EPSILON, _result_base_index=0, _all_bases=[buffer]
    )
    quantized = auto_functionalized_v2(
        ops.quant.default, input=normed[1], scale=scale, _result_base_index=0, _all_bases=[result]
    )
    return quantized[1]


def replace(buffer, result, input, weight, scale):
    fused = auto_functionalized(
        ops.rms_norm_quant.default, result=result, input=input, weight=weight, scale=scale, epsilon=EPSILON
    )
    return fused[1]


examples = [
    torch.empty(4, 8, dtype=torch.bfloat16),
    torch.empty(4, 8, dtype=torch.float8_e4m3fn),
    torch.empty(4, 8, dtype=torch.bfloat16),
    torch.empty(8, dtype=torch.bfloat16),
    torch.empty(1),
]
register_replacement(search, replace, examples, fwd_only, patterns)
