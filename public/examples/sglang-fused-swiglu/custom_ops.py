"""The fused operator: an implementation, and a fake one that only says what its output is like."""

from typing import Optional

import torch
from sglang.srt.utils import direct_register_custom_op


def fused_swiglu(
    x: torch.Tensor,
    w: torch.Tensor,
    x_scale: Optional[torch.Tensor] = None,
    w_scale: Optional[torch.Tensor] = None,
    o_scale: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """silu(x @ w[:, :n]) * (x @ w[:, n:]) without writing x @ w; the scales are for 8-bit inputs."""
    half = w.shape[1] // 2
    return torch.nn.functional.silu(x @ w[:, :half]) * (x @ w[:, half:])


def fused_swiglu_fake(
    x: torch.Tensor,
    w: torch.Tensor,
    x_scale: Optional[torch.Tensor] = None,
    w_scale: Optional[torch.Tensor] = None,
    o_scale: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    return torch.empty((x.shape[0], w.shape[1] // 2), dtype=x.dtype, device=x.device)


direct_register_custom_op(
    op_name="fused_swiglu", op_func=fused_swiglu, mutates_args=[], fake_impl=fused_swiglu_fake
)
