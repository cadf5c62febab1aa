"""The vLLM operators that the fusions use, for a PyTorch without vLLM: vLLM's schemas with kernels in plain PyTorch."""
import torch

FP8 = torch.float8_e4m3fn
_kept = []


def _norm(x, weight, eps):
    f = x.float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype) * weight


def _quant(x, scale):
    return (x.float() / scale).clamp(-448.0, 448.0).to(FP8)


def rms_norm(result, input, weight, epsilon):
    result.copy_(_norm(input, weight, epsilon))


def fused_add_rms_norm(input, residual, weight, epsilon):
    residual.add_(input)
    input.copy_(_norm(residual, weight, epsilon))


def static_scaled_fp8_quant(result, input, scale, group_shape=None):
    result.copy_(_quant(input, scale))


def rms_norm_static_fp8_quant(result, input, weight, scale, epsilon):
    result.copy_(_quant(_norm(input, weight, epsilon), scale))


def fused_add_rms_norm_static_fp8_quant(result, input, residual, weight, scale, epsilon):
    residual.add_(input)
    result.copy_(_quant(_norm(residual, weight, epsilon), scale))


def silu_and_mul(result, input):
    gate, up = input.chunk(2, -1)
    result.copy_(torch.nn.functional.silu(gate) * up)


def silu_and_mul_quant(result, input, scale):
    gate, up = input.chunk(2, -1)
    result.copy_(_quant(torch.nn.functional.silu(gate) * up, scale))


SCHEMAS = {
    rms_norm: "(Tensor! result, Tensor input, Tensor weight, float epsilon) -> ()",
    fused_add_rms_norm: "(Tensor! input, Tensor! residual, Tensor weight, float epsilon) -> ()",
    static_scaled_fp8_quant: "(Tensor! result, Tensor input, Tensor scale, (int, int)? group_shape=None) -> ()",
    rms_norm_static_fp8_quant: "(Tensor! result, Tensor input, Tensor weight, Tensor scale, float epsilon) -> ()",
    fused_add_rms_norm_static_fp8_quant: "(Tensor! result, Tensor input, Tensor! residual, Tensor weight, Tensor scale, float epsilon) -> ()",
    silu_and_mul: "(Tensor! result, Tensor input) -> ()",
    silu_and_mul_quant: "(Tensor! result, Tensor input, Tensor scale) -> ()",
}


def declare():
    lib = torch.library.Library("_C", "FRAGMENT")
    _kept.append(lib)
    for fn, schema in SCHEMAS.items():
        lib.define(fn.__name__ + schema.replace("(int, int)?", "int[]?"))
        lib.impl(fn.__name__, fn, "CPU")
        torch.library.register_fake(f"_C::{fn.__name__}", lambda *args, **kwargs: None, lib=lib)
    vllm = torch.library.Library("vllm", "FRAGMENT")
    _kept.append(vllm)
    vllm.define("all_reduce(Tensor tensor, str group_name) -> Tensor")
    # One rank of one.
    vllm.impl("all_reduce", lambda tensor, group_name: tensor.clone(), "CPU")
    torch.library.register_fake("vllm::all_reduce", lambda tensor, group_name: torch.empty_like(tensor), lib=vllm)
