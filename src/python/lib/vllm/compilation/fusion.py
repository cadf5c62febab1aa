"""The former path of vllm.compilation.passes.fusion.rms_quant_fusion, with the former signature of QuantKey."""

import torch
from vllm.compilation.passes.fusion import rms_quant_fusion as _now

globals().update({name: value for name, value in vars(_now).items() if not name.startswith("__")})


def QuantKey(dtype, static=None, group_shape=None, symmetric=True, **keywords):
    """Accepts the current form, with a scale, and the former one, with the scale's properties as arguments."""
    if static is not None:
        keywords["scale"] = _now.ScaleDesc(torch.float32, static, group_shape)
    return _now.QuantKey(dtype, symmetric=symmetric, **keywords)
