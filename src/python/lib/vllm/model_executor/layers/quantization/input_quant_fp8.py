"""vllm.model_executor.layers.quantization.input_quant_fp8: quantization of activations to FP8."""

import torch
from torch.nn import functional
from vllm.model_executor.custom_op import CustomOp

from .utils.quant_utils import FP8_DTYPE, GroupShape, get_fp8_min_max, group_broadcast, prep_scale_for_group_broadcast

_MIN, _MAX = get_fp8_min_max()
_SMALLEST_SCALE = 1.0 / (_MAX * 512.0)


@CustomOp.register("quant_fp8")
class QuantFP8(CustomOp):
    """Quantizes with a given scale (static), or with dynamic scales per tensor, per row or per group of columns."""

    def __init__(
        self,
        static,
        group_shape,
        num_token_padding=None,
        column_major_scales=False,
        tma_aligned_scales=None,
        use_ue8m0=None,
        compile_native=True,
    ):
        super().__init__()
        self.static, self.group_shape, self.num_token_padding = static, group_shape, num_token_padding
        self.column_major_scales, self.tma_aligned_scales = column_major_scales, bool(tma_aligned_scales)
        self.use_ue8m0 = bool(use_ue8m0)
        self.use_per_token_if_dynamic = group_shape == GroupShape.PER_TOKEN
        self.is_group_quant = group_shape.is_per_group()

    def forward_native(self, x, scale=None, scale_ub=None, use_triton=False):
        if self.is_group_quant and not self.static:
            assert scale is None, "Dynamic group quantization does not use scale"
            return self._by_groups(x)
        assert (scale is not None) == self.static
        if self.static:
            scale = prep_scale_for_group_broadcast(scale, x, self.group_shape)
        else:
            scale = self._measured(x, scale_ub)
        scaled = x.to(torch.float32) * group_broadcast(scale.to(torch.float32), x.shape[-2:]).reciprocal()
        return scaled.clamp(_MIN, _MAX).to(FP8_DTYPE), scale

    def _measured(self, x, scale_ub):
        if self.use_per_token_if_dynamic:
            largest = x.abs().max(dim=-1)[0].unsqueeze(-1).to(torch.float32)
            if scale_ub is not None:
                largest = largest.clamp(max=scale_ub)
        else:
            largest = x.abs().max().unsqueeze(-1).to(torch.float32)
        return (largest / _MAX).clamp(min=_SMALLEST_SCALE)

    def _by_groups(self, x):
        shape, size = x.shape, self.group_shape.col
        columns = shape[-1]
        groups = (columns + size - 1) // size
        padded = groups * size
        if padded != columns:
            x = functional.pad(x, (0, padded - columns), mode="constant", value=0.0)
        grouped = x.view(-1, groups, size)
        scales = grouped.abs().max(dim=-1, keepdim=True)[0].float() / _MAX
        if self.use_ue8m0:
            scales = torch.exp2(torch.ceil(torch.log2(scales)))
        scales = scales.clamp(min=_SMALLEST_SCALE)
        codes = (grouped / scales).clamp(_MIN, _MAX).to(FP8_DTYPE).view(-1, padded)
        if padded != columns:
            codes = codes[..., :columns]
        scales = scales.squeeze(-1).reshape(shape[:-1] + (groups,))
        if self.column_major_scales:
            scales = scales.transpose(-2, -1).contiguous().transpose(-1, -2)
        return codes.view(shape), scales
