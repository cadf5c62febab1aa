"""Implementations of vLLM's IR operators: in plain torch (native), and as vLLM's own kernels (vllm_c)."""

import torch

_C = torch.ops._C


def rms_norm(x, weight, epsilon, variance_size=None):
    from vllm.model_executor.layers.layernorm import RMSNorm

    return RMSNorm.forward_static(x, epsilon, x.shape[-1], x.dtype, weight, None, variance_size)


def rms_norm_by_kernel(x, weight, epsilon, variance_size=None):
    out = torch.empty_like(x)
    _C.rms_norm(out, x, weight, epsilon)
    return out


def fused_add_rms_norm(x, x_residual, weight, epsilon, variance_size=None):
    from vllm.model_executor.layers.layernorm import RMSNorm

    return RMSNorm.forward_static(x, epsilon, x.shape[-1], x.dtype, weight, x_residual, variance_size)


def fused_add_rms_norm_by_kernel(x, x_residual, weight, epsilon, variance_size=None):
    x, residual = x.clone(), x_residual.clone()
    _C.fused_add_rms_norm(x, residual, weight, epsilon)
    return x, residual


def silu_and_mul(x):
    d = x.shape[-1] // 2
    return torch.nn.functional.silu(x[..., :d]) * x[..., d:]


def silu_and_mul_by_kernel(x):
    out = torch.empty(x.shape[:-1] + (x.shape[-1] // 2,), dtype=x.dtype, device=x.device)
    _C.silu_and_mul(out, x)
    return out


BY_NAME = {
    "rms_norm": {"native": rms_norm, "vllm_c": rms_norm_by_kernel},
    "fused_add_rms_norm": {"native": fused_add_rms_norm, "vllm_c": fused_add_rms_norm_by_kernel},
    "silu_and_mul": {"native": silu_and_mul, "vllm_c": silu_and_mul_by_kernel},
}
