"""vllm.ir.ops: the operators of torch.ops.vllm_ir."""

import torch
from vllm.ir import op as ir_op
from vllm.utils.torch_utils import direct_register_custom_op

from . import implementations

T = torch.Tensor
_library = torch.library.Library("vllm_ir", "FRAGMENT")


def _register(fake):
    direct_register_custom_op(fake.__name__, fake, fake_impl=fake, target_lib=_library)
    torch_op = getattr(torch.ops.vllm_ir, fake.__name__)
    if fake.__name__ in implementations.BY_NAME:
        ir_op.register(fake.__name__, torch_op.default, fake, implementations.BY_NAME[fake.__name__])
    return torch_op


def _scales(x, columns):
    return torch.empty(x.shape[:-1] + (columns,), dtype=torch.float32, device=x.device)


def _codes(x, fp8_dtype):
    return torch.empty(x.shape, dtype=fp8_dtype, device=x.device)


@_register
def rms_norm(x: T, weight: T | None, epsilon: float, variance_size: int | None = None) -> T:
    return torch.empty_like(x)


@_register
def fused_add_rms_norm(
    x: T, x_residual: T, weight: T | None, epsilon: float, variance_size: int | None = None
) -> tuple[T, T]:
    return torch.empty_like(x), torch.empty_like(x)


@_register
def silu_and_mul(x: T) -> T:
    return torch.empty(x.shape[:-1] + (x.shape[-1] // 2,), dtype=x.dtype, device=x.device)


@_register
def static_quant_fp8(x: T, scale: T, fp8_dtype: torch.dtype, num_token_padding: int | None = None) -> T:
    return _codes(x, fp8_dtype)


@_register
def dynamic_quant_fp8(
    x: T, per_token: bool, fp8_dtype: torch.dtype, scale_ub: T | None = None, num_token_padding: int | None = None
) -> tuple[T, T]:
    return _codes(x, fp8_dtype), _scales(x, 1) if per_token else torch.empty(1, dtype=torch.float32, device=x.device)


@_register
def dynamic_group_quant_fp8(
    x: T, group_shape: list[int], column_major: bool, use_ue8m0: bool, fp8_dtype: torch.dtype, scale_alignment: int = 1
) -> tuple[T, T]:
    return _codes(x, fp8_dtype), _scales(x, x.shape[-1] // group_shape[-1])
