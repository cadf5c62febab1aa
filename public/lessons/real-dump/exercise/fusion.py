"""Fuses RMSNorm with the static int8 quantization that follows it.

The smallest fusion of its kind: two custom operators that write into their arguments become one. The graph beside
this file is what torch.compile made of the function at the end of it.
"""

import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

EPSILON = 1e-5


@torch.library.custom_op("vllm::rms_norm", mutates_args=["result"])
def rms_norm(result: torch.Tensor, input: torch.Tensor, weight: torch.Tensor, epsilon: float) -> None:
    """A stub: the pattern needs the schema and what it writes to, not the kernel."""
    result.copy_(input * weight + epsilon)


@torch.library.custom_op("vllm::static_scaled_int8_quant", mutates_args=["result", "scale"])
def static_scaled_int8_quant(
    result: torch.Tensor, input: torch.Tensor, scale: torch.Tensor, azp: torch.Tensor | None = None
) -> None:
    result.copy_((input * scale).to(torch.int8))


@torch.library.custom_op("vllm::fused_rms_norm_quant_static", mutates_args=["result", "scale"])
def fused_rms_norm_quant_static(
    result: torch.Tensor,
    input: torch.Tensor,
    weight: torch.Tensor,
    scale: torch.Tensor,
    azp: torch.Tensor | None,
    epsilon: float,
) -> None:
    result.copy_(((input * weight + epsilon) * scale).to(torch.int8))


ops = torch.ops.vllm


def search(result, result_rms, input, weight, scale):
    """What to look for. Item 0 of what auto_functionalized gives is the operator's own result; the rest were written."""
    normed = auto_functionalized(
        ops.rms_norm.default, result=result_rms, input=input, weight=weight, epsilon=EPSILON
    )
    quantised = auto_functionalized(
        ops.static_scaled_int8_quant.default, result=result, input=normed[0], scale=scale, azp=None
    )
    return quantised[1], quantised[2]


def replace(result, result_rms, input, weight, scale):
    """What takes its place: one operator, and no buffer for the normed values."""
    fused = auto_functionalized(
        ops.fused_rms_norm_quant_static.default,
        result=result,
        input=input,
        weight=weight,
        epsilon=EPSILON,
        scale=scale,
        azp=None,
    )
    return fused[1], fused[2]


# The first trace is made with these; their shapes are forgotten again when a real match is checked.
example_inputs = [
    torch.empty(5, 4, dtype=torch.int8),
    torch.empty(5, 4, dtype=torch.bfloat16),
    torch.empty(5, 4, dtype=torch.bfloat16),
    torch.empty(5, 1, dtype=torch.bfloat16),
    torch.empty(1, 1),
]

patterns = PatternMatcherPass(pass_name="rms_norm_int8")
register_replacement(search, replace, example_inputs, fwd_only, patterns)


def compiled_function(x, w):
    """The function whose graph this is: torch.compile it, and look at the graph in post_grad_custom_post_pass."""
    quantised = torch.empty_like(x, dtype=torch.int8)
    normed = torch.empty_like(x, dtype=torch.bfloat16)
    scale = torch.ones((1, 1))
    return search(quantised, normed, x.to(torch.bfloat16), w.to(torch.bfloat16), scale)
