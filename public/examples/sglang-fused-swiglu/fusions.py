"""The up projection, SiLU and the product in one kernel.

The model was compiled with auto_functionalized_v2: a mutating operator gets its buffers in `_all_bases` and their
positions in arguments of its own. A pattern written for v1 never meets such a graph.
"""

import custom_ops  # noqa: F401 - declares the operators
import torch
from pass_manager import CompilationConfig, PassManager, SGLangInductorPass
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import fwd_only, register_replacement


class FusedSwiGLU(SGLangInductorPass):
    name = "fused_swiglu"

    def register(self) -> None:
        def pattern(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
            up = torch.ops.aten.mm.default(x, w)
            out = torch.ops.aten.empty.memory_format(
                [up.shape[0], up.shape[1] // 2], dtype=up.dtype, device=up.device, pin_memory=False
            )
            at = auto_functionalized_v2(
                torch.ops.sgl_kernel.silu_and_mul.default, input=up, _out_base_index=0, _all_bases=[out]
            )
            return at[1]

        def replacement(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
            return torch.ops.sglang.fused_swiglu.default(x, w)

        examples = [torch.empty(16, 16, dtype=torch.float16), torch.empty(16, 16, dtype=torch.float16)]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)


manager = PassManager(CompilationConfig())
manager.add(FusedSwiGLU)
patterns = manager.passes[0].patterns


def test_pattern_is_there() -> None:
    """What a unit test of a pass asks first."""
    assert len(manager.passes) == 1 and manager.config.hash() != CompilationConfig(disabled=("fused_swiglu",)).hash()


test_pattern_is_there()
