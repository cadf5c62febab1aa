"""torch_npu: its attributes tell which operators this chip's runtime has; the operators themselves are in torch.ops.npu."""

import torch
from _fusescope import environment, stubs

from . import npu

__version__ = "0.0.0+fusescope"

_ONLY_A5 = {
    "npu_dynamic_mx_quant",
    "npu_add_rms_norm_dynamic_mx_quant",
    "npu_rms_norm_dynamic_mx_quant",
    "npu_swiglu_mx_quant",
}
_NOT_310P = {"npu_add_rms_norm_dynamic_quant", "npu_dynamic_quant", "npu_swiglu_quant", "npu_quant_matmul"}
_EVERYWHERE = {
    "npu_add_rms_norm",
    "npu_rms_norm",
    "npu_quantize",
    "npu_add_rms_norm_quant",
    "npu_swiglu",
    "npu_gelu",
    "npu_format_cast",
    "npu_rotary_mul",
    "npu_apply_rotary_pos_emb",
    "npu_fused_infer_attention_score",
}
# Element types that torch_npu names itself.
_DTYPES = {"float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float4_e2m1fn_x2"}


torch.npu = npu


def _has(name):
    if environment.vendor() != "ascend":
        return False
    here = environment.platform()
    return (
        name in _EVERYWHERE or name in _NOT_310P and here != "ascend-310p" or name in _ONLY_A5 and here == "ascend-a5"
    )


def __getattr__(name):
    if name.startswith("npu_"):
        if environment.answer(f"hasattr(torch_npu, {name!r})", _has(name)):
            return getattr(torch.ops.npu, name)
        raise AttributeError(f"module 'torch_npu' has no attribute '{name}' on {environment.platform()}")
    if name in _DTYPES:
        return getattr(torch, name)
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
