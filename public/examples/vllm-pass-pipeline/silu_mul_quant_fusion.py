"""Fuses SiLU + Mul with the quantisation to FP8 by one scale, where the kernel pays: not for a handful of tokens."""

import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from vllm.compilation.passes.fusion.matcher_utils import MatcherQuantFP8, MatcherSiluAndMul
from vllm.compilation.passes.vllm_inductor_pass import VllmFusionPatternMatcherPass, VllmPatternReplacement
from vllm.config import VllmConfig
from vllm.model_executor.layers.quantization.utils.quant_utils import kFp8StaticTensorSym

FEW_TOKENS = 16


class SiluMulStaticQuantPattern(VllmPatternReplacement):
    def __init__(self) -> None:
        self.silu_matcher = MatcherSiluAndMul()
        self.quant_matcher = MatcherQuantFP8(kFp8StaticTensorSym)

    def get_inputs(self) -> list[torch.Tensor]:
        return [*self.silu_matcher.inputs(), self.quant_matcher.inputs()[1]]

    @property
    def pattern(self):
        def search(input: torch.Tensor, scale: torch.Tensor):
            return self.quant_matcher(self.silu_matcher(input), scale)[0]

        return search

    @property
    def replacement(self):
        def replace(input: torch.Tensor, scale: torch.Tensor):
            columns = input.shape[-1] // 2
            result = torch.empty((*input.shape[:-1], columns), device=input.device, dtype=torch.float8_e4m3fn)
            at = auto_functionalized(torch.ops._C.silu_and_mul_quant.default, result=result, input=input, scale=scale)
            return at[1]

        return replace


class SiluMulQuantFusionPass(VllmFusionPatternMatcherPass):
    def __init__(self, config: VllmConfig) -> None:
        super().__init__(config, "silu_mul_quant_fusion_pass")
        self.register(SiluMulStaticQuantPattern())

    def is_applicable_for_range(self, compile_range) -> bool:
        return compile_range.end > FEW_TOKENS
