"""vllm._custom_ops: allocates the buffers that vLLM's kernels write."""

import torch
from vllm.utils.math_utils import cdiv


def create_fp4_scale_tensor(m, n, device, is_sf_swizzled_layout):
    """Scales, one per 16 values; swizzled: four in an int32, rows padded to 128 and columns to 4."""
    if is_sf_swizzled_layout:
        return torch.empty((cdiv(m, 128) * 128, cdiv(n // 16, 4)), device=device, dtype=torch.int32)
    return torch.empty((m, n // 16), device=device, dtype=torch.uint8)


def create_fp4_output_tensors(m, n, device, is_sf_swizzled_layout):
    """The quantized buffer, two values per byte, and its scales."""
    codes = torch.empty((m, n // 2), device=device, dtype=torch.uint8)
    return codes, create_fp4_scale_tensor(m, n, device, is_sf_swizzled_layout)
