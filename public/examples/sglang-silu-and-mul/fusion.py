"""SiLU and the product, written in plain torch by the model's author, become sgl_kernel's operator."""

import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement


class SiluAndMulPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)

        def pattern(gate_up: torch.Tensor) -> torch.Tensor:
            # Half of what comes in, not a number: the size is read again in the second stage.
            half = gate_up.shape[-1] // 2
            return torch.nn.functional.silu(gate_up[..., :half]) * gate_up[..., half:]

        def replacement(gate_up: torch.Tensor) -> torch.Tensor:
            out = gate_up.new_empty(gate_up.shape[0], gate_up.shape[-1] // 2)
            at = auto_functionalized_v2(
                torch.ops.sgl_kernel.silu_and_mul.default, input=gate_up, _out_base_index=0, _all_bases=[out]
            )
            return at[1]

        examples = [torch.empty(4, 16, dtype=torch.float16)]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


silu_and_mul = SiluAndMulPass()
