"""The up projection, SiLU and the product in one kernel.

Compiled with auto_functionalized_v2, an operator that writes gets its buffers in `_all_bases` and their positions in
arguments of its own. A pattern written for v1 never meets such a graph, so the configuration decides which one it is.
"""

import custom_ops  # noqa: F401 - declares the operator
import torch
from pass_manager import CompilationConfig, PassManager, SGLangInductorPass
from torch._higher_order_ops.auto_functionalize import auto_functionalized, auto_functionalized_v2
from torch._inductor.pattern_matcher import fwd_only, register_replacement

SILU_AND_MUL = torch.ops.sgl_kernel.silu_and_mul.default


def silu_and_mul(up: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
    """The call as a functionalized graph has it: item 1 is `out`, once written."""
    if torch._inductor.config.enable_auto_functionalized_v2:
        return auto_functionalized_v2(SILU_AND_MUL, input=up, _out_base_index=0, _all_bases=[out])[1]
    return auto_functionalized(SILU_AND_MUL, out=out, input=up)[1]


class FusedSwiGLU(SGLangInductorPass):
    name = "fused_swiglu"

    def register(self) -> None:
        def pattern(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
            up = torch.ops.aten.mm.default(x, w)
            out = torch.ops.aten.empty.memory_format(
                [up.shape[0], up.shape[1] // 2], dtype=up.dtype, device=up.device, pin_memory=False
            )
            return silu_and_mul(up, out)

        def replacement(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
            return torch.ops.sglang.fused_swiglu.default(x, w)

        examples = [torch.empty(16, 16, dtype=torch.float16), torch.empty(16, 16, dtype=torch.float16)]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)


manager = PassManager(CompilationConfig())
manager.add(FusedSwiGLU)
patterns = manager.passes[0].patterns
