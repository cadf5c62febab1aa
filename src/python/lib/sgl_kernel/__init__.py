"""sgl_kernel's Python functions: each allocates the buffer that its operator writes. The schemas are in the catalog."""

import torch

_ops = torch.ops.sgl_kernel


def _activation(name):
    def call(input, out=None):
        if out is None:
            out = torch.empty(*input.shape[:-1], input.shape[-1] // 2, device=input.device, dtype=input.dtype)
        getattr(_ops, name).default(out, input)
        return out

    call.__name__ = name
    return call


silu_and_mul = _activation("silu_and_mul")
gelu_and_mul = _activation("gelu_and_mul")
gelu_tanh_and_mul = _activation("gelu_tanh_and_mul")


def _norm(name):
    def call(input, weight, eps=1e-6, out=None, enable_pdl=None):
        out = torch.empty_like(input) if out is None else out
        getattr(_ops, name).default(out, input, weight, eps, bool(enable_pdl))
        return out

    call.__name__ = name
    return call


rmsnorm = _norm("rmsnorm")
gemma_rmsnorm = _norm("gemma_rmsnorm")


def fused_add_rmsnorm(input, residual, weight, eps=1e-6, enable_pdl=None):
    _ops.fused_add_rmsnorm.default(input, residual, weight, eps, bool(enable_pdl))


def gemma_fused_add_rmsnorm(input, residual, weight, eps=1e-6, enable_pdl=None):
    _ops.gemma_fused_add_rmsnorm.default(input, residual, weight, eps, bool(enable_pdl))


def sgl_per_tensor_quant_fp8(input, output_q, output_s, is_static):
    _ops.sgl_per_tensor_quant_fp8.default(input, output_q, output_s, is_static)


def sgl_per_token_quant_fp8(input, output_q, output_s):
    _ops.sgl_per_token_quant_fp8.default(input, output_q, output_s)


def sgl_per_token_group_quant_fp8(input, output_q, output_s, group_size, eps, fp8_min, fp8_max, scale_ue8m0=False):
    _ops.sgl_per_token_group_quant_fp8.default(
        input, output_q, output_s, group_size, eps, fp8_min, fp8_max, scale_ue8m0
    )


def fp8_scaled_mm(mat_a, mat_b, scales_a, scales_b, out_dtype, bias=None):
    return _ops.fp8_scaled_mm.default(mat_a, mat_b, scales_a, scales_b, out_dtype, bias)


def topk_softmax(topk_weights, topk_ids, gating_output, renormalize=False):
    _ops.topk_softmax.default(topk_weights, topk_ids, gating_output, renormalize)
