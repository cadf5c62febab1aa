"""A mixture of experts: the router's choice, both grouped products and SiLU + Mul between them in one operator."""

import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from sglang.srt.utils import direct_register_custom_op
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement


def grouped_mm(x: torch.Tensor, w: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    """Row i of x by the weights of expert ids[i % tokens, i // tokens]: one product for each choice of each token."""
    return torch.einsum("ri,rij->rj", x, w[ids.t().reshape(-1)])


def combine(x: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The choices of a token, added up by their weights."""
    tokens, choices = weights.shape
    return (x.view(choices, tokens, -1) * weights.t()[..., None].to(x.dtype)).sum(0)


def fused_experts(
    x: torch.Tensor, up: torch.Tensor, down: torch.Tensor, logits: torch.Tensor, choices: int
) -> tuple[torch.Tensor, torch.Tensor]:
    weights, ids = logits.softmax(-1).topk(choices, -1)
    rows = grouped_mm(x.repeat(choices, 1), up, ids)
    half = rows.shape[-1] // 2
    act = torch.nn.functional.silu(rows[..., :half]) * rows[..., half:]
    return combine(grouped_mm(act, down, ids), weights), ids.to(torch.int32)


direct_register_custom_op(
    "grouped_mm", grouped_mm, mutates_args=[], fake_impl=lambda x, w, ids: x.new_empty(x.shape[0], w.shape[2])
)
direct_register_custom_op(
    "combine", combine, mutates_args=[], fake_impl=lambda x, weights: x.new_empty(weights.shape[0], x.shape[1])
)
direct_register_custom_op(
    "fused_experts",
    fused_experts,
    mutates_args=[],
    fake_impl=lambda x, up, down, logits, choices: (
        torch.empty_like(x),
        torch.empty(x.shape[0], choices, dtype=torch.int32, device=x.device),
    ),
)


class FusedMoEPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)

        def pattern(x, up, down, logits, weights, ids, act):
            chosen = auto_functionalized_v2(
                torch.ops.sgl_kernel.topk_softmax.default,
                gating_output=logits,
                renormalize=False,
                _topk_weights_base_index=0,
                _topk_indices_base_index=1,
                _all_bases=[weights, ids],
            )
            rows = x.repeat(weights.shape[1], 1)
            gate_up = torch.ops.sglang.grouped_mm.default(rows, up, chosen[2])
            silu = auto_functionalized_v2(
                torch.ops.sgl_kernel.silu_and_mul.default, input=gate_up, _out_base_index=0, _all_bases=[act]
            )
            made = torch.ops.sglang.grouped_mm.default(silu[1], down, chosen[2])
            return torch.ops.sglang.combine.default(made, chosen[1]), chosen[2]

        def replacement(x, up, down, logits, weights, ids, act):
            return torch.ops.sglang.fused_experts.default(x, up, down, logits, weights.shape[1])

        half = torch.float16
        examples = [
            torch.empty(4, 16, dtype=half),
            torch.empty(8, 16, 32, dtype=half),
            torch.empty(8, 16, 16, dtype=half),
            torch.empty(4, 8),
            torch.empty(4, 2),
            torch.empty(4, 2, dtype=torch.int32),
            torch.empty(8, 16, dtype=half),
        ]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


fused_moe = FusedMoEPass()
