"""Activation and quantization in the style of vLLM's pass of that name, for pasting without its folder."""

import itertools

import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from vllm.config import VllmConfig
from vllm.logger import init_logger
from vllm.model_executor.layers.quantization.utils.quant_utils import (
    QuantKey,
    kFp8Dynamic64Sym,
    kFp8Dynamic128Sym,
    kFp8StaticTensorSym,
    kNvfp4Dynamic,
)
from vllm.platforms import current_platform

from ..inductor_pass import enable_fake_mode
from ..vllm_inductor_pass import VllmInductorPass, VllmPatternMatcherPass
from .matcher_utils import MatcherQuantFP8, MatcherSiluAndMul
from .rms_quant_fusion import QUANT_OPS, empty_bf16, empty_fp32, empty_i32

logger = init_logger(__name__)
_C = torch.ops._C

FUSED_OPS = {kFp8StaticTensorSym: _C.silu_and_mul_quant.default}
nvfp4_supported = current_platform.is_cuda() and hasattr(_C, "silu_and_mul_nvfp4_quant")
if nvfp4_supported:
    FUSED_OPS[kNvfp4Dynamic] = _C.silu_and_mul_nvfp4_quant.default
if current_platform.is_cuda_alike():
    FUSED_OPS |= dict.fromkeys((kFp8Dynamic128Sym, kFp8Dynamic64Sym), _C.silu_and_mul_per_block_quant.default)


class ActivationQuantPattern:
    def __init__(self, quant_key: QuantKey) -> None:
        assert quant_key in QUANT_OPS, f"unsupported quantization scheme {quant_key}"
        assert quant_key in FUSED_OPS, f"unsupported fusion scheme {quant_key}"
        self.quant_key = quant_key
        self.QUANT_OP = QUANT_OPS[quant_key]
        self.FUSED_OP = FUSED_OPS[quant_key]
        self.silu_and_mul_matcher = MatcherSiluAndMul()

    def halved(self, input):
        shape = (*input.shape[:-1], input.shape[-1] // 2)
        return torch.empty(shape, device=input.device, dtype=self.quant_key.dtype)


class StaticPattern(ActivationQuantPattern):
    def __init__(self) -> None:
        super().__init__(kFp8StaticTensorSym)
        self.quant_matcher = MatcherQuantFP8(kFp8StaticTensorSym)

    def register(self, pm_pass) -> None:
        def pattern(input, scale):
            return self.quant_matcher(self.silu_and_mul_matcher(input), scale)[0]

        def replacement(input, scale):
            return auto_functionalized(self.FUSED_OP, result=self.halved(input), input=input, scale=scale)[1]

        register_in(pm_pass, pattern, replacement, [*self.silu_and_mul_matcher.inputs(), empty_fp32(1, 1)])


class Nvfp4Pattern(ActivationQuantPattern):
    def __init__(self) -> None:
        super().__init__(kNvfp4Dynamic)

    def register(self, pm_pass) -> None:
        def pattern(result, output_scale, input, scale):
            at = auto_functionalized(
                self.QUANT_OP,
                input=self.silu_and_mul_matcher(input),
                input_scale=scale,
                is_sf_swizzled_layout=True,
                output=result,
                output_scale=output_scale,
            )
            return at[1], at[2]

        def replacement(result, output_scale, input, scale):
            at = auto_functionalized(
                self.FUSED_OP, result=result, result_block_scale=output_scale, input=input, input_global_scale=scale
            )
            return at[1], at[2]

        codes = torch.empty(5, 32, dtype=self.quant_key.dtype, device=current_platform.device_type)
        register_in(pm_pass, pattern, replacement, [codes, empty_i32(128, 4), empty_bf16(5, 64), empty_fp32(1, 1)])


class BlockPattern(ActivationQuantPattern):
    def __init__(self, quant_key: QuantKey, transposed: bool, e8m0: bool, tma: bool) -> None:
        super().__init__(quant_key)
        self.transposed, self.e8m0, self.tma = transposed, e8m0, tma
        self.group = quant_key.scale.group_shape[1]

    def register(self, pm_pass) -> None:
        def pattern(input, scale):
            silu_out = self.silu_and_mul_matcher(input)
            finfo = torch.finfo(self.quant_key.dtype)
            _, result, scale = auto_functionalized(
                self.QUANT_OP,
                input=silu_out,
                output_q=torch.empty(silu_out.shape, device=silu_out.device, dtype=self.quant_key.dtype),
                output_s=scale,
                group_size=self.group,
                eps=1e-10,
                fp8_min=finfo.min,
                fp8_max=finfo.max,
                scale_ue8m0=self.e8m0,
                dummy_is_scale_transposed=self.transposed,
                dummy_is_tma_aligned=self.tma,
            )
            return result, scale

        def replacement(input, scale):
            result = self.halved(input)
            shape = (input.shape[0], result.shape[-1] // self.group)
            scale = torch.empty(shape[::-1] if self.transposed else shape, device=input.device, dtype=torch.float32)
            at = auto_functionalized(
                self.FUSED_OP,
                out=result,
                input=input,
                scales=scale.permute(-1, -2) if self.transposed else scale,
                group_size=self.group,
                scale_ub=None,
                is_scale_transposed=self.transposed,
            )
            return at[1], at[2]

        register_in(pm_pass, pattern, replacement, [*self.silu_and_mul_matcher.inputs(), empty_fp32(1, 1)])


def register_in(pm_pass, pattern, replacement, inputs) -> None:
    from torch._inductor.pattern_matcher import fwd_only, register_replacement

    register_replacement(pattern, replacement, inputs, fwd_only, pm_pass)


class ActivationQuantFusionPass(VllmPatternMatcherPass):
    @enable_fake_mode
    def __init__(self, config: VllmConfig) -> None:
        from torch._inductor.pattern_matcher import PatternMatcherPass

        super().__init__(config)
        self.patterns = PatternMatcherPass(pass_name="activation_quant_fusion_pass")
        StaticPattern().register(self.patterns)
        if nvfp4_supported:
            Nvfp4Pattern().register(self.patterns)
        if current_platform.is_cuda():
            for settings in itertools.product(
                [kFp8Dynamic128Sym, kFp8Dynamic64Sym], [False, True], [True, False], [False, True]
            ):
                BlockPattern(*settings).register(self.patterns)
        self.dump_patterns(config, self.patterns)

    @VllmInductorPass.time_and_log
    def __call__(self, graph: torch.fx.Graph) -> None:
        self.matched_count = self.patterns.apply(graph)
        logger.debug("Replaced %s patterns", self.matched_count)

    def uuid(self) -> str:
        return VllmInductorPass.hash_source(self, ActivationQuantPattern, StaticPattern, Nvfp4Pattern, BlockPattern)
