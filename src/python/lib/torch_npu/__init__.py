"""torch_npu: which operators this chip's runtime has. They are there as torch.ops.npu's; here one asks whether they are."""
from _fusescope import environment, stubs

_EVERYWHERE = {
    "npu_add_rms_norm", "npu_rms_norm", "npu_quantize", "npu_dynamic_quant", "npu_add_rms_norm_quant", "npu_swiglu",
    "npu_format_cast", "npu_quant_matmul", "npu_rotary_mul",
}
_ONLY_A5 = {"npu_dynamic_mx_quant", "npu_add_rms_norm_dynamic_mx_quant"}


def _has(name):
    if environment.vendor() != "ascend":
        return False
    return name in _EVERYWHERE or (name in _ONLY_A5 and environment.platform() == "ascend-a5")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name.startswith("npu_"):
        if environment.answer(f"hasattr(torch_npu, {name!r})", _has(name)):
            import torch

            return getattr(torch.ops.npu, name)
        raise AttributeError(f"module 'torch_npu' has no attribute '{name}' on {environment.platform()}")
    return stubs.missing("torch_npu", name)
