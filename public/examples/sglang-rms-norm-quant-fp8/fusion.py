"""RMSNorm and FP8 quantisation, both written in plain torch, in one operator: one registration an epsilon."""

import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from sglang.srt.configs.model_config import ModelConfig
from sglang.srt.utils import direct_register_custom_op
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

FP8 = torch.float8_e4m3fn
EPSILONS = (1e-5, 1e-6)


def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    wide = x.to(torch.float32)
    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
    return wide.to(x.dtype) * weight


def quantise(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)


def rms_norm_static_fp8_quant(
    result: torch.Tensor, input: torch.Tensor, weight: torch.Tensor, scale: torch.Tensor, epsilon: float
) -> None:
    result.copy_(quantise(rms_norm(input, weight, epsilon), scale))


direct_register_custom_op(
    "rms_norm_static_fp8_quant",
    rms_norm_static_fp8_quant,
    mutates_args=["result"],
    fake_impl=lambda result, input, weight, scale, epsilon: None,
)


class RMSNormQuantPass(SGLangInductorPass):
    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        self.dtype = dtype
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)
        for eps in EPSILONS:
            self.register(eps)

    def register(self, eps: float) -> None:
        def pattern(x: torch.Tensor, weight: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
            return quantise(rms_norm(x, weight, eps), scale)

        def replacement(x: torch.Tensor, weight: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
            at = auto_functionalized_v2(
                torch.ops.sglang.rms_norm_static_fp8_quant.default,
                input=x,
                weight=weight,
                scale=scale,
                epsilon=eps,
                _result_base_index=0,
                _all_bases=[torch.empty_like(x, dtype=FP8)],
            )
            return at[1]

        # The model's dtype decides what is traced: casts that change nothing are left out of a graph.
        examples = [torch.empty(4, 16, dtype=self.dtype), torch.empty(16, dtype=self.dtype), torch.empty(1)]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


rms_norm_quant = RMSNormQuantPass(ModelConfig().dtype)
