"""What node.meta["tensor_meta"] holds."""

from typing import NamedTuple

import torch


class TensorMetadata(NamedTuple):
    shape: object
    dtype: object
    requires_grad: bool
    stride: tuple
    memory_format: object
    is_quantized: bool
    qparams: dict


TensorMetadata.__module__ = "torch.fx.passes.shape_prop"


def _extract_tensor_metadata(result, include_contiguity=True):
    formats = (torch.contiguous_format, torch.channels_last, torch.channels_last_3d)
    found = next((f for f in formats if result.is_contiguous(memory_format=f)), None) if include_contiguity else None
    return TensorMetadata(
        result.shape, result.dtype, result.requires_grad, result.stride(), found, result.is_quantized, {}
    )
