"""Quantization schemes as values, by which passes look up operators: QuantKey and vLLM's named keys."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch.fx.graph import dtype_abbrs
from vllm.platforms import current_platform

FP8_DTYPE = current_platform.fp8_dtype()
FP4_DTYPE = torch.uint8  # two codes per byte


def get_fp8_min_max():
    """The range to which codes are clamped; vLLM does not use the topmost codes of the fnuz form."""
    if FP8_DTYPE == torch.float8_e4m3fnuz:
        return -224.0, 224.0
    limits = torch.finfo(FP8_DTYPE)
    return limits.min, limits.max


class _GroupShape(NamedTuple):
    row: int
    col: int


class GroupShape(_GroupShape):
    """The rows and columns that share a scale; -1 means the whole dimension."""

    def is_per_tensor(self):
        return self == (-1, -1)

    def is_per_token(self):
        return self == (1, -1)

    def is_per_channel(self):
        return self == (-1, 1)

    def is_per_group(self):
        return self.row == 1 and self.col >= 1


GroupShape.PER_TENSOR = GroupShape(-1, -1)
GroupShape.PER_TOKEN = GroupShape(1, -1)
GroupShape.PER_CHANNEL = GroupShape(-1, 1)

_NAMED_SHAPES = {
    GroupShape.PER_TENSOR: "per_tensor",
    GroupShape.PER_TOKEN: "per_token",
    GroupShape.PER_CHANNEL: "per_channel",
}


@dataclass(frozen=True)
class ScaleDesc:
    """A scale: its dtype, whether it is static, and the group that shares it."""

    dtype: torch.dtype
    static: bool
    group_shape: GroupShape

    def __str__(self):
        shape = _NAMED_SHAPES.get(self.group_shape, str(self.group_shape))
        return f"{dtype_abbrs[self.dtype]},{'static' if self.static else 'dynamic'},{shape}"


@dataclass(frozen=True)
class QuantKey:
    """A quantization: the codes' dtype, their scale and, for two-level schemes, the scale of the scales."""

    dtype: torch.dtype
    scale: ScaleDesc
    scale2: ScaleDesc | None = None
    symmetric: bool = True

    # Fields of a key from before ScaleDesc.
    static = property(lambda self: self.scale.static)
    group_shape = property(lambda self: self.scale.group_shape)

    def __str__(self):
        parts = [dtype_abbrs[self.dtype], f"scale({self.scale})"]
        if self.scale2:
            parts.append(f"scale2({self.scale2})")
        return f"QuantKey({','.join([*parts, 'symmetric' if self.symmetric else 'asymmetric'])})"


def _f32(static, shape):
    return ScaleDesc(torch.float32, static, shape)


kStaticTensorScale = _f32(True, GroupShape.PER_TENSOR)
kStaticTokenScale = _f32(True, GroupShape.PER_TOKEN)
kStaticChannelScale = _f32(True, GroupShape.PER_CHANNEL)
kDynamicTensorScale = _f32(False, GroupShape.PER_TENSOR)
kDynamicTokenScale = _f32(False, GroupShape.PER_TOKEN)
kDynamic128Scale = _f32(False, GroupShape(1, 128))
kDynamic64Scale = _f32(False, GroupShape(1, 64))
kStatic128BlockScale = _f32(True, GroupShape(128, 128))
kNvfp4DynamicGroupScale = kNvfp4GroupScale = ScaleDesc(torch.float8_e4m3fn, False, GroupShape(1, 16))
kNvfp4StaticGroupScale = ScaleDesc(torch.float8_e4m3fn, True, GroupShape(1, 16))

kFp8StaticTensorSym = QuantKey(FP8_DTYPE, kStaticTensorScale)
kFp8StaticTokenSym = QuantKey(FP8_DTYPE, kStaticTokenScale)
kFp8StaticChannelSym = QuantKey(FP8_DTYPE, kStaticChannelScale)
kFp8DynamicTensorSym = QuantKey(FP8_DTYPE, kDynamicTensorScale)
kFp8DynamicTokenSym = QuantKey(FP8_DTYPE, kDynamicTokenScale)
kFp8Dynamic128Sym = QuantKey(FP8_DTYPE, kDynamic128Scale)
kFp8Dynamic64Sym = QuantKey(FP8_DTYPE, kDynamic64Scale)
kFp8Static128BlockSym = QuantKey(FP8_DTYPE, kStatic128BlockScale)
kNvfp4Dynamic = kNvfp4Quant = QuantKey(FP4_DTYPE, kNvfp4DynamicGroupScale, kStaticTensorScale)
kNvfp4Static = QuantKey(FP4_DTYPE, kNvfp4StaticGroupScale, kStaticTensorScale)


def _normalize_quant_group_shape(x, group_shape):
    return tuple(given if given > 0 else size for given, size in zip(group_shape, x.shape[-2:]))


def group_broadcast(t, shape):
    """Repeats each scale over its group, unless broadcasting does so."""
    for dim, wanted in enumerate(shape):
        size = t.shape[dim] if dim < t.ndim else 1
        if size not in (wanted, 1):
            assert wanted % size == 0
            spread = t.unsqueeze(dim + 1).expand(*t.shape[: dim + 1], wanted // size, *t.shape[dim + 1 :])
            t = spread.flatten(dim, dim + 1)
    return t


def prep_scale_for_group_broadcast(scale, x, group_shape):
    """Converts a scalar or vector scale to a matrix over x's rows and columns."""
    if scale.numel() == 1:
        return scale if group_shape is not None and group_shape.is_per_tensor() else scale.reshape(1, 1)
    if scale.ndim > 1:
        return scale
    return scale.unsqueeze(-2) if scale.shape[0] == x.shape[-1] else scale.unsqueeze(-1)
