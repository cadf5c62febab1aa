"""All-reduce + RMSNorm + FP8, and all-reduce + RMSNorm for what is left: two passes, of which the longer goes first."""

import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from sglang.srt.distributed import tensor_model_parallel_all_reduce
from sglang.srt.utils import direct_register_custom_op
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

FP8, HALF = torch.float8_e4m3fn, torch.float16
EPS = 1e-6


def all_reduce_rms_norm(input: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor, eps: float) -> None:
    """residual += the sum of `input` over the ranks; input = RMSNorm(residual)."""
    residual.add_(tensor_model_parallel_all_reduce(input))
    wide = residual.float()
    input.copy_((wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)).to(input.dtype) * weight)


def all_reduce_rms_norm_quant(
    input: torch.Tensor,
    residual: torch.Tensor,
    codes: torch.Tensor,
    weight: torch.Tensor,
    scale: torch.Tensor,
    eps: float,
) -> None:
    """As all_reduce_rms_norm, and codes = FP8(input / scale)."""
    all_reduce_rms_norm(input, residual, weight, eps)
    codes.copy_((input.float() / scale).clamp(-448, 448))


direct_register_custom_op(
    "all_reduce_rms_norm",
    all_reduce_rms_norm,
    mutates_args=["input", "residual"],
    fake_impl=lambda input, residual, weight, eps: None,
)
direct_register_custom_op(
    "all_reduce_rms_norm_quant",
    all_reduce_rms_norm_quant,
    mutates_args=["input", "residual", "codes"],
    fake_impl=lambda input, residual, codes, weight, scale, eps: None,
)


def reduce_and_norm(input: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor):
    """What both patterns begin with: the normalised sum, and the new residual."""
    reduced = tensor_model_parallel_all_reduce(input)
    at = auto_functionalized_v2(
        torch.ops.sgl_kernel.fused_add_rmsnorm.default,
        weight=weight,
        eps=EPS,
        enable_pdl=False,
        _input_base_index=0,
        _residual_base_index=1,
        _all_bases=[reduced, residual],
    )
    return at[1], at[2]


class AllReduceRMSNormQuantPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)

        def pattern(input, residual, weight, codes, scale):
            normed, residual = reduce_and_norm(input, residual, weight)
            quant = auto_functionalized_v2(
                torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default,
                input=normed,
                output_s=scale,
                is_static=True,
                _output_q_base_index=0,
                _all_bases=[codes],
            )
            return quant[1], normed, residual

        def replacement(input, residual, weight, codes, scale):
            # A buffer of its own: the graph makes `codes` further down than this goes in.
            own = torch.empty_like(input, dtype=FP8)
            at = auto_functionalized_v2(
                torch.ops.sglang.all_reduce_rms_norm_quant.default,
                weight=weight,
                scale=scale,
                eps=EPS,
                _input_base_index=0,
                _residual_base_index=1,
                _codes_base_index=2,
                _all_bases=[input, residual, own],
            )
            return at[3], at[1], at[2]

        examples = [
            torch.empty(4, 16, dtype=HALF),
            torch.empty(4, 16, dtype=HALF),
            torch.empty(16, dtype=HALF),
            torch.empty(4, 16, dtype=FP8),
            torch.empty(1),
        ]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


class AllReduceRMSNormPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)

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

        examples = [torch.empty(4, 16, dtype=HALF), torch.empty(4, 16, dtype=HALF), torch.empty(16, dtype=HALF)]
        register_replacement(reduce_and_norm, replacement, examples, fwd_only, self.patterns)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


with_quant = AllReduceRMSNormQuantPass()
without_quant = AllReduceRMSNormPass()
