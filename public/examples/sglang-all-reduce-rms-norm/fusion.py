"""All-reduce, the residual's sum and RMSNorm in one kernel: for messages that fit into its workspace."""

import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from sglang.srt.distributed import get_tensor_model_parallel_world_size, tensor_model_parallel_all_reduce
from sglang.srt.utils import direct_register_custom_op
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import Match, PatternMatcherPass, fwd_only, register_replacement

FUSED_ADD_RMSNORM = torch.ops.sgl_kernel.fused_add_rmsnorm.default
EPS = 1e-6
# Largest message of the one-shot kernel in bytes, by the number of ranks.
LARGEST_MESSAGE = {2: 64 * 1024, 4: 32 * 1024, 8: 16 * 1024}


def all_reduce_rms_norm(input: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor, eps: float) -> None:
    """residual += the sum of `input` over the ranks; input = RMSNorm(residual)."""
    residual.add_(tensor_model_parallel_all_reduce(input))
    wide = residual.float()
    input.copy_((wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)).to(input.dtype) * weight)


direct_register_custom_op(
    "all_reduce_rms_norm",
    all_reduce_rms_norm,
    mutates_args=["input", "residual"],
    fake_impl=lambda input, residual, weight, eps: None,
)


class AllReduceRMSNormPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)
        self.ranks = get_tensor_model_parallel_world_size()
        # One rank has nothing to reduce: no pattern is registered.
        if self.ranks in LARGEST_MESSAGE:
            self.register()

    def fits(self, match: Match) -> bool:
        message = match.kwargs["input"].meta["val"]
        return message.numel() * message.element_size() <= LARGEST_MESSAGE[self.ranks]

    def register(self) -> None:
        def pattern(input: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor):
            reduced = tensor_model_parallel_all_reduce(input)
            at = auto_functionalized_v2(
                FUSED_ADD_RMSNORM,
                weight=weight,
                eps=EPS,
                enable_pdl=False,
                _input_base_index=0,
                _residual_base_index=1,
                _all_bases=[reduced, residual],
            )
            return at[1], at[2]

        def replacement(input: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor):
            at = auto_functionalized_v2(
                torch.ops.sglang.all_reduce_rms_norm.default,
                weight=weight,
                eps=EPS,
                _input_base_index=0,
                _residual_base_index=1,
                _all_bases=[input, residual],
            )
            return at[1], at[2]

        half = torch.float16
        examples = [torch.empty(4, 16, dtype=half), torch.empty(4, 16, dtype=half), torch.empty(16, dtype=half)]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns, extra_check=self.fits)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


all_reduce_norm = AllReduceRMSNormPass()
