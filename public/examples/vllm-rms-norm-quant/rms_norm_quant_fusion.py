"""Fuses RMSNorm, with or without the residual's addition, with the quantisation to FP8 that follows it.

Written as vLLM writes its passes, on vLLM's own helpers: a matcher puts one operator into the pattern, by its kernel
or in plain torch, as the custom operators of the environment say. Switch `rms_norm` and `quant_fp8` off there, and
the same classes match the graphs without kernels.
"""

import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from vllm.compilation.passes.fusion.matcher_utils import MatcherFusedAddRMSNorm, MatcherQuantFP8, MatcherRMSNorm
from vllm.compilation.passes.fusion.rms_quant_fusion import FUSED_OPS, FusedRMSQuantKey
from vllm.compilation.passes.vllm_inductor_pass import VllmFusionPatternMatcherPass, VllmPatternReplacement
from vllm.config import VllmConfig, set_current_vllm_config
from vllm.model_executor.layers.quantization.utils.quant_utils import (
    QuantKey,
    kFp8Dynamic64Sym,
    kFp8Dynamic128Sym,
    kFp8DynamicTokenSym,
    kFp8StaticTensorSym,
)


class RMSNormQuantPattern(VllmPatternReplacement):
    """What the four have in common: a norm, a quantisation, and the kernel that does both."""

    fused_add = False

    def __init__(self, quant_key: QuantKey, epsilon: float) -> None:
        key = FusedRMSQuantKey(quant_key, self.fused_add)
        assert key in FUSED_OPS, f"no kernel does {key}"
        self.quant_key = quant_key
        self.epsilon = epsilon
        self.FUSED_OP = FUSED_OPS[key]
        self.rmsnorm_matcher = (MatcherFusedAddRMSNorm if self.fused_add else MatcherRMSNorm)(epsilon)
        self.quant_matcher = MatcherQuantFP8(quant_key)
        self.model_dtype = self.rmsnorm_matcher.model_dtype

    def fused(self, input: torch.Tensor, **arguments):
        """Calls the kernel; what it wrote, codes first."""
        # In plain torch the norm computes in float32, and what came in may have lost its conversion.
        input = input.to(dtype=self.model_dtype)
        result = torch.empty(input.shape, device=input.device, dtype=self.quant_key.dtype)
        at = auto_functionalized(self.FUSED_OP, result=result, input=input, epsilon=self.epsilon, **arguments)
        return at[1:]

    def fused_dynamic(self, input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor | None):
        groups = {}
        if self.quant_key.scale.group_shape.is_per_group():
            groups = {"group_size": self.quant_key.scale.group_shape.col, "is_scale_transposed": False}
        scale = self.quant_matcher.make_scale(input)
        return self.fused(input, weight=weight, scale=scale, scale_ub=None, residual=residual, **groups)


class RMSNormStaticQuantPattern(RMSNormQuantPattern):
    """One scale, measured beforehand."""

    def get_inputs(self) -> list[torch.Tensor]:
        return [*self.rmsnorm_matcher.inputs(), self.quant_matcher.inputs()[1]]

    @property
    def pattern(self):
        def search(input: torch.Tensor, weight: torch.Tensor, scale: torch.Tensor):
            return self.quant_matcher(self.rmsnorm_matcher(input, weight), scale)[0]

        return search

    @property
    def replacement(self):
        def replace(input: torch.Tensor, weight: torch.Tensor, scale: torch.Tensor):
            return self.fused(input, weight=weight, scale=scale)[0]

        return replace


class FusedAddRMSNormStaticQuantPattern(RMSNormStaticQuantPattern):
    """The same after the residual's addition, whose sum is the next layer's residual."""

    fused_add = True

    @property
    def pattern(self):
        def search(input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor, scale: torch.Tensor):
            normed, residual = self.rmsnorm_matcher(input, weight, residual)
            return self.quant_matcher(normed, scale)[0], residual

        return search

    @property
    def replacement(self):
        def replace(input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor, scale: torch.Tensor):
            codes, residual = self.fused(input, weight=weight, residual=residual, scale=scale)
            return codes, residual

        return replace


class RMSNormDynamicQuantPattern(RMSNormQuantPattern):
    """A scale for each token, or for each group of a token's columns, measured on the way."""

    def get_inputs(self) -> list[torch.Tensor]:
        # Two groups wide: plain torch pads what is narrower than one, and folds away what is one.
        columns = max(16, 2 * self.quant_key.scale.group_shape.col)
        return [torch.empty(*t.shape[:-1], columns, dtype=t.dtype, device=t.device) for t in self.rmsnorm_matcher.inputs()]

    @property
    def pattern(self):
        def search(input: torch.Tensor, weight: torch.Tensor):
            return self.quant_matcher(self.rmsnorm_matcher(input, weight))

        return search

    @property
    def replacement(self):
        def replace(input: torch.Tensor, weight: torch.Tensor):
            codes, scale, *_ = self.fused_dynamic(input, weight, None)
            return codes, scale

        return replace


class FusedAddRMSNormDynamicQuantPattern(RMSNormDynamicQuantPattern):
    fused_add = True

    @property
    def pattern(self):
        def search(input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor):
            normed, residual = self.rmsnorm_matcher(input, weight, residual)
            codes, scale = self.quant_matcher(normed)
            return codes, residual, scale

        return search

    @property
    def replacement(self):
        def replace(input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor):
            codes, scale, residual = self.fused_dynamic(input, weight, residual)
            return codes, residual, scale

        return replace


class RMSNormQuantFusionPass(VllmFusionPatternMatcherPass):
    def __init__(self, config: VllmConfig) -> None:
        super().__init__(config, "rmsnorm_quant_fusion_pass")
        for epsilon in [1e-5, 1e-6]:
            # With the addition first: in plain torch the norm without it is a part of the norm with it.
            self.register(FusedAddRMSNormStaticQuantPattern(kFp8StaticTensorSym, epsilon))
            self.register(RMSNormStaticQuantPattern(kFp8StaticTensorSym, epsilon))
            for quant_key in [kFp8DynamicTokenSym, kFp8Dynamic128Sym, kFp8Dynamic64Sym]:
                self.register(FusedAddRMSNormDynamicQuantPattern(quant_key, epsilon))
                self.register(RMSNormDynamicQuantPattern(quant_key, epsilon))
        self.dump_patterns(config, self.pm_pass)


config = VllmConfig()
with set_current_vllm_config(config):
    patterns = RMSNormQuantFusionPass(config).pm_pass
