"""SiLU + Mul, then FP8 by a scale that is known beforehand: two operators that write buffers become one that does."""

import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from sglang.srt.utils import direct_register_custom_op
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

FP8 = torch.float8_e4m3fn
SILU_AND_MUL = torch.ops.sgl_kernel.silu_and_mul.default
QUANT = torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default


def silu_and_mul_quant(result: torch.Tensor, input: torch.Tensor, scale: torch.Tensor) -> None:
    """The product stays in float32 until it is quantised."""
    half = input.shape[-1] // 2
    gate, up = input[..., :half].float(), input[..., half:].float()
    result.copy_((torch.nn.functional.silu(gate) * up / scale).clamp(-448, 448))


# It writes `result`, so its fake has nothing to give back.
direct_register_custom_op(
    op_name="silu_and_mul_quant",
    op_func=silu_and_mul_quant,
    mutates_args=["result"],
    fake_impl=lambda result, input, scale: None,
)


class SiluMulQuantPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)

        def pattern(
            gate_up: torch.Tensor, act: torch.Tensor, codes: torch.Tensor, scale: torch.Tensor
        ) -> torch.Tensor:
            # Both buffers are inputs of the pattern: how a caller makes them is the caller's business.
            silu = auto_functionalized_v2(SILU_AND_MUL, input=gate_up, _out_base_index=0, _all_bases=[act])
            quant = auto_functionalized_v2(
                QUANT, input=silu[1], output_s=scale, is_static=True, _output_q_base_index=0, _all_bases=[codes]
            )
            return quant[1]

        def replacement(
            gate_up: torch.Tensor, act: torch.Tensor, codes: torch.Tensor, scale: torch.Tensor
        ) -> torch.Tensor:
            at = auto_functionalized_v2(
                torch.ops.sglang.silu_and_mul_quant.default,
                input=gate_up,
                scale=scale,
                _result_base_index=0,
                _all_bases=[codes],
            )
            return at[1]

        half = torch.float16
        examples = [
            torch.empty(4, 16, dtype=half),
            torch.empty(4, 8, dtype=half),
            torch.empty(4, 8, dtype=FP8),
            torch.empty(1),
        ]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


silu_mul_quant = SiluMulQuantPass()
