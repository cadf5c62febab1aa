"""Operators for torch.compile: one line for each, with an implementation and a fake one that only shapes its output."""

from collections.abc import Callable
from typing import Optional

import torch

_libs: dict[str, torch.library.Library] = {}


def direct_register_custom_op(
    op_name: str, op_func: Callable, mutates_args: list[str], fake_impl: Optional[Callable] = None, lib: str = "sglang"
) -> None:
    library = _libs.setdefault(lib, torch.library.Library(lib, "FRAGMENT"))
    library.define(op_name + torch.library.infer_schema(op_func, mutates_args=mutates_args))
    library.impl(op_name, op_func, "CompositeExplicitAutograd")
    if fake_impl is not None:
        torch.library.register_fake(f"{lib}::{op_name}", fake_impl, lib=library)


def silu_and_mul(out: torch.Tensor, input: torch.Tensor) -> None:
    d = input.shape[-1] // 2
    out.copy_(torch.nn.functional.silu(input[..., :d]) * input[..., d:])


direct_register_custom_op("silu_and_mul", silu_and_mul, ["out"], lambda out, input: None, lib="sgl_kernel")


def fused_swiglu(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """silu(x @ w[:, :n]) * (x @ w[:, n:]) without writing x @ w."""
    d = w.shape[1] // 2
    return torch.nn.functional.silu(x @ w[:, :d]) * (x @ w[:, d:])


def fused_swiglu_fake(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return torch.empty((x.shape[0], w.shape[1] // 2), dtype=x.dtype, device=x.device)


direct_register_custom_op("fused_swiglu", fused_swiglu, [], fused_swiglu_fake)
