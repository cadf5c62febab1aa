"""Matchers write one operator into a pattern: called while a pattern is traced, they leave what the graph would hold."""

from abc import ABC, abstractmethod
from typing import Optional

import torch
from ops import QUANT_OPS, SILU_MUL_OP
from quant_key import FP8_DTYPE, QuantKey
from torch._higher_order_ops.auto_functionalize import auto_functionalized

DEVICE = "cpu"  # where the graph beside this file was captured


class MatcherCustomOp(ABC):
    """Goes the way of the custom operator when the model uses it, and of plain torch operators when it does not."""

    def __init__(self, enabled: bool = True) -> None:
        self.enabled = enabled
        self.model_dtype = torch.bfloat16

    def __call__(self, *args):
        return self.forward_custom(*args) if self.enabled else self.forward_native(*args)

    @abstractmethod
    def forward_custom(self, *args): ...

    @abstractmethod
    def forward_native(self, *args): ...

    @abstractmethod
    def inputs(self) -> list[torch.Tensor]:
        """Example tensors to trace with. Only their dtypes and ranks matter."""

    def empty(self, *size: int) -> torch.Tensor:
        return torch.empty(*size, dtype=self.model_dtype, device=DEVICE)

    def empty_f32(self, *size: int) -> torch.Tensor:
        return torch.empty(*size, dtype=torch.float32, device=DEVICE)


class MatcherSiluAndMul(MatcherCustomOp):
    """silu(x[..., :d]) * x[..., d:]"""

    def inputs(self) -> list[torch.Tensor]:
        return [self.empty(5, 4)]

    def forward_custom(self, x: torch.Tensor) -> torch.Tensor:
        d = x.shape[-1] // 2
        out = torch.empty(x.shape[:-1] + (d,), dtype=x.dtype, device=x.device)
        return auto_functionalized(SILU_MUL_OP, result=out, input=x)[1]

    def forward_native(self, x: torch.Tensor) -> torch.Tensor:
        d = x.shape[-1] // 2
        return torch.nn.functional.silu(x[..., :d]) * x[..., d:]


class MatcherQuantFP8(MatcherCustomOp):
    """Quantisation to FP8, with a given scale or with one scale for each group of columns."""

    def __init__(
        self,
        quant_key: QuantKey,
        enabled: bool = True,
        has_col_major_scales: bool = False,
        is_e8m0: bool = False,
        is_tma_aligned: bool = False,
    ) -> None:
        super().__init__(enabled)
        assert quant_key in QUANT_OPS, f"no operator quantises to {quant_key}"
        assert quant_key.dtype == FP8_DTYPE, "MatcherQuantFP8 is for FP8"
        assert quant_key.scale2 is None, "FP8 has one level of scales"
        self.quant_key = quant_key
        self.QUANT_OP = QUANT_OPS[quant_key]
        self.has_col_major_scales = has_col_major_scales
        self.is_e8m0 = is_e8m0
        self.is_tma_aligned = is_tma_aligned

    def inputs(self) -> list[torch.Tensor]:
        example = self.empty(5, 16)
        return [example, self.empty_f32(1, 1)] if self.quant_key.scale.static else [example]

    def make_scale(self, x: torch.Tensor) -> torch.Tensor:
        """One scale a row and group. Transposed scales are a permuted view: one more node in the graph."""
        groups = x.shape[-1] // self.quant_key.scale.group_shape.col
        if self.has_col_major_scales:
            return torch.empty((groups, x.shape[0]), dtype=torch.float32, device=x.device).permute(-1, -2)
        return torch.empty((x.shape[0], groups), dtype=torch.float32, device=x.device)

    def forward_custom(self, x: torch.Tensor, scale: Optional[torch.Tensor] = None):
        result = torch.empty(x.shape, device=x.device, dtype=self.quant_key.dtype)
        if self.quant_key.scale.static:
            _, result = auto_functionalized(self.QUANT_OP, result=result, input=x, scale=scale)
            return result, scale
        finfo = torch.finfo(self.quant_key.dtype)
        _, result, scale = auto_functionalized(
            self.QUANT_OP,
            input=x,
            output_q=result,
            output_s=self.make_scale(x) if scale is None else scale,
            group_size=self.quant_key.scale.group_shape.col,
            eps=1e-10,
            fp8_min=finfo.min,
            fp8_max=finfo.max,
            scale_ue8m0=self.is_e8m0,
            # The kernel reads neither: they keep variants apart that would otherwise look the same in a graph.
            dummy_is_scale_transposed=self.has_col_major_scales,
            dummy_is_tma_aligned=self.is_tma_aligned,
        )
        return result, scale

    def forward_native(self, x: torch.Tensor, scale: Optional[torch.Tensor] = None):
        finfo = torch.finfo(self.quant_key.dtype)
        assert scale is not None, "the native form is for a given scale"
        quantised = (x.to(torch.float32) / scale).clamp(finfo.min, finfo.max).to(self.quant_key.dtype)
        return quantised, scale
