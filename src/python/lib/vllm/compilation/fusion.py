"""Where vllm.compilation.passes.fusion.rms_quant_fusion was before, and QuantKey as it was called then."""
import torch
from vllm.compilation.passes.fusion import rms_quant_fusion as _now

globals().update({name: value for name, value in vars(_now).items() if not name.startswith("__")})


def QuantKey(dtype, static=None, group_shape=None, symmetric=True, **keywords):
    """With a scale, as it is now; or with what was said of the scale in its place."""
    if static is not None:
        keywords["scale"] = _now.ScaleDesc(torch.float32, static, group_shape)
    return _now.QuantKey(dtype, symmetric=symmetric, **keywords)
