"""The up projection in FP8, SiLU + Mul and the next projection's quantisation in one kernel."""

from typing import Optional

import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from sglang.srt.utils import direct_register_custom_op
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

FP8 = torch.float8_e4m3fn
# The product's dtype is an argument of the operator: of a pattern, one constant.
OUT_DTYPES = (torch.float16,)


def fused_swiglu(
    x: torch.Tensor,
    w: torch.Tensor,
    x_scale: Optional[torch.Tensor] = None,
    w_scale: Optional[torch.Tensor] = None,
    o_scale: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    product = (x.float() * x_scale) @ (w.float() * w_scale)
    gate, up = product.chunk(2, -1)
    return (torch.nn.functional.silu(gate) * up / o_scale).clamp(-448, 448).to(x.dtype)


def fused_swiglu_fake(
    x: torch.Tensor,
    w: torch.Tensor,
    x_scale: Optional[torch.Tensor] = None,
    w_scale: Optional[torch.Tensor] = None,
    o_scale: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    return torch.empty((x.shape[0], w.shape[1] // 2), dtype=x.dtype, device=x.device)


direct_register_custom_op("fused_swiglu", fused_swiglu, mutates_args=[], fake_impl=fused_swiglu_fake)


class UpProjQuantPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)
        for out_dtype in OUT_DTYPES:
            self.register(out_dtype)

    def register(self, out_dtype: torch.dtype) -> None:
        def pattern(x, w, x_scale, w_scale, o_scale, act, codes):
            up = torch.ops.sgl_kernel.fp8_scaled_mm.default(x, w, x_scale, w_scale, out_dtype, None)
            silu = auto_functionalized_v2(
                torch.ops.sgl_kernel.silu_and_mul.default, input=up, _out_base_index=0, _all_bases=[act]
            )
            quant = auto_functionalized_v2(
                torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default,
                input=silu[1],
                output_s=o_scale,
                is_static=True,
                _output_q_base_index=0,
                _all_bases=[codes],
            )
            return quant[1]

        def replacement(x, w, x_scale, w_scale, o_scale, act, codes):
            return torch.ops.sglang.fused_swiglu.default(x, w, x_scale, w_scale, o_scale)

        examples = [
            torch.empty(16, 16, dtype=FP8),
            torch.empty(16, 16, dtype=FP8),
            torch.empty(1),
            torch.empty(1),
            torch.empty(1),
            torch.empty(16, 8, dtype=out_dtype),
            torch.empty(16, 8, dtype=FP8),
        ]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


up_proj_quant = UpProjQuantPass()
