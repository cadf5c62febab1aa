"""Fuses SiLU+Mul with the quantisation that follows it.

Matching is exact: a pattern with group_size=128 does not match a call with 64. So there is one pattern for each
combination of settings, and on a given model one of them fires and the others stay dark.
"""

import functools
from abc import ABC, abstractmethod

import torch
from matchers import DEVICE, MatcherQuantFP8, MatcherSiluAndMul
from ops import FUSED_OPS, QUANT_OPS
from quant_key import QuantKey, kFp8Dynamic64Sym, kFp8Dynamic128Sym, kFp8StaticTensorSym, kNvfp4Dynamic
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from torch._subclasses.fake_tensor import FakeTensorMode


def enable_fake_mode(fn):
    """Tensors made inside have shapes and dtypes and no memory: registering costs nothing."""

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        with FakeTensorMode():
            return fn(*args, **kwargs)

    return wrapped


class ActivationQuantPattern(ABC):
    """What all these fusions share: a scheme, its operator, and the operator that fuses it with SiLU+Mul."""

    def __init__(self, quant_key: QuantKey) -> None:
        assert quant_key in QUANT_OPS, f"no operator quantises to {quant_key}"
        assert quant_key in FUSED_OPS, f"no operator fuses SiLU+Mul with {quant_key}"
        self.quant_key = quant_key
        self.quant_dtype = quant_key.dtype
        self.QUANT_OP = QUANT_OPS[quant_key]
        self.FUSED_OP = FUSED_OPS[quant_key]
        self.silu_and_mul_matcher = MatcherSiluAndMul()

    def empty_quant(self, *size: int) -> torch.Tensor:
        return torch.empty(*size, dtype=self.quant_dtype, device=DEVICE)

    @abstractmethod
    def register(self, pm_pass: PatternMatcherPass) -> None: ...


class SiluMulFp8StaticQuantPattern(ActivationQuantPattern):
    """SiLU+Mul, then FP8 with one scale that was measured beforehand."""

    def __init__(self) -> None:
        super().__init__(kFp8StaticTensorSym)
        self.quant_matcher = MatcherQuantFP8(kFp8StaticTensorSym)

    def register(self, pm_pass: PatternMatcherPass) -> None:
        def pattern(input: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
            silu_out = self.silu_and_mul_matcher(input)
            return self.quant_matcher(silu_out, scale)[0]

        def replacement(input: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
            d = input.shape[-1] // 2
            result = torch.empty(input.shape[:-1] + (d,), device=input.device, dtype=self.quant_dtype)
            return auto_functionalized(self.FUSED_OP, result=result, input=input, scale=scale)[1]

        inputs = [*self.silu_and_mul_matcher.inputs(), self.quant_matcher.inputs()[1]]
        register_replacement(pattern, replacement, inputs, fwd_only, pm_pass)


class SiluMulNvfp4QuantPattern(ActivationQuantPattern):
    """SiLU+Mul, then NVFP4: two codes a byte, a scale for each 16 of them, and one scale over all."""

    def __init__(self) -> None:
        super().__init__(kNvfp4Dynamic)

    def register(self, pm_pass: PatternMatcherPass) -> None:
        def pattern(result: torch.Tensor, output_scale: torch.Tensor, input: torch.Tensor, scale: torch.Tensor):
            silu_out = self.silu_and_mul_matcher(input)
            at = auto_functionalized(
                self.QUANT_OP,
                output=result,
                input=silu_out,
                output_scale=output_scale,
                input_scale=scale,
                is_sf_swizzled_layout=True,
            )
            return at[1], at[2]

        def replacement(result: torch.Tensor, output_scale: torch.Tensor, input: torch.Tensor, scale: torch.Tensor):
            at = auto_functionalized(
                self.FUSED_OP,
                result=result,
                result_block_scale=output_scale,
                input=input,
                input_global_scale=scale,
            )
            return at[1], at[2]

        inputs = [
            self.empty_quant(5, 32),
            torch.empty(128, 4, dtype=torch.int32, device=DEVICE),
            self.silu_and_mul_matcher.empty(5, 64),
            self.silu_and_mul_matcher.empty_f32(1, 1),
        ]
        register_replacement(pattern, replacement, inputs, fwd_only, pm_pass)


class SiluMulBlockQuantPattern(ActivationQuantPattern):
    """SiLU+Mul, then FP8 with one scale for each group of columns. One instance is one leaf of the variant tree."""

    def __init__(
        self,
        quant_key: QuantKey,
        is_scale_transposed: bool = False,
        is_e8m0: bool = False,
        is_tma_aligned: bool = False,
    ) -> None:
        super().__init__(quant_key)
        self.quant_matcher = MatcherQuantFP8(
            quant_key,
            has_col_major_scales=is_scale_transposed,
            is_e8m0=is_e8m0,
            is_tma_aligned=is_tma_aligned,
        )
        self.group_size = quant_key.scale.group_shape.col
        self.is_scale_transposed = is_scale_transposed
        self.is_e8m0 = is_e8m0
        self.is_tma_aligned = is_tma_aligned

    def get_inputs(self) -> list[torch.Tensor]:
        return [*self.silu_and_mul_matcher.inputs(), self.quant_matcher.empty_f32(1, 1)]

    def register(self, pm_pass: PatternMatcherPass) -> None:
        is_scale_transposed = self.is_scale_transposed

        def pattern(input: torch.Tensor, scale: torch.Tensor):
            silu_out = self.silu_and_mul_matcher(input)
            result = torch.empty(silu_out.shape, device=silu_out.device, dtype=self.quant_dtype)
            finfo = torch.finfo(self.quant_dtype)
            # The scale buffer is an input here: models allocate it in more ways than one.
            _, result, scale = auto_functionalized(
                self.QUANT_OP,
                input=silu_out,
                output_q=result,
                output_s=scale,
                group_size=self.group_size,
                eps=1e-10,
                fp8_min=finfo.min,
                fp8_max=finfo.max,
                scale_ue8m0=self.is_e8m0,
                dummy_is_scale_transposed=is_scale_transposed,
                dummy_is_tma_aligned=self.is_tma_aligned,
            )
            return result, scale

        def replacement(input: torch.Tensor, scale: torch.Tensor):
            d = input.shape[-1] // 2
            groups = d // self.group_size
            result = torch.empty(input.shape[:-1] + (d,), device=input.device, dtype=self.quant_dtype)
            if is_scale_transposed:
                scale = torch.empty((groups, input.shape[0]), device=input.device, dtype=torch.float32).permute(-1, -2)
            else:
                scale = torch.empty((input.shape[0], groups), device=input.device, dtype=torch.float32)
            at = auto_functionalized(
                self.FUSED_OP,
                out=result,
                input=input,
                scales=scale,
                group_size=self.group_size,
                scale_ub=None,
                is_scale_transposed=is_scale_transposed,
            )
            return at[1], at[2]

        register_replacement(pattern, replacement, self.get_inputs(), fwd_only, pm_pass)


class ActivationQuantFusionPass:
    """Registers every variant once, then rewrites any graph it is called with."""

    @enable_fake_mode
    def __init__(self) -> None:
        self.patterns = PatternMatcherPass(pass_name="activation_quant_fusion_pass")
        self.matched_count = 0

        SiluMulFp8StaticQuantPattern().register(self.patterns)
        SiluMulNvfp4QuantPattern().register(self.patterns)

        # Take a key out of this list and see what no longer fires, and why.
        for quant_key in [kFp8Dynamic128Sym, kFp8Dynamic64Sym]:
            for is_scale_transposed in [False, True]:
                for is_e8m0 in [True, False]:
                    for is_tma_aligned in [False, True]:
                        SiluMulBlockQuantPattern(
                            quant_key,
                            is_scale_transposed=is_scale_transposed,
                            is_e8m0=is_e8m0,
                            is_tma_aligned=is_tma_aligned,
                        ).register(self.patterns)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.matched_count = self.patterns.apply(graph)
        graph.eliminate_dead_code()


patterns = ActivationQuantFusionPass().patterns
