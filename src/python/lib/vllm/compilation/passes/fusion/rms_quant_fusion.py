"""vllm.compilation.passes.fusion.rms_quant_fusion: lookup tables of fused operators. The patterns are in the user's files."""

from typing import NamedTuple

import torch
from vllm.model_executor.layers.quantization.utils.quant_utils import (  # noqa: F401
    FP4_DTYPE,
    FP8_DTYPE,
    GroupShape,
    QuantKey,
    ScaleDesc,
    kFp8Dynamic64Sym,
    kFp8Dynamic128Sym,
    kFp8DynamicTokenSym,
    kFp8StaticTensorSym,
)
from vllm.platforms import current_platform

from .matcher_utils import QUANT_OPS, RMS_ADD_OP, RMS_OP  # noqa: F401

_C = torch.ops._C


class FusedRMSQuantKey(NamedTuple):
    """A quantization after RMSNorm, which may add the residual first."""

    quant: QuantKey
    fused_add: bool

    def __str__(self):
        return f"FusedQuantKey({self.quant}, with{'' if self.fused_add else 'out'} residual)"


# One kernel with an optional residual instead of two kernels.
_FUSED = {
    kFp8StaticTensorSym: (_C.rms_norm_static_fp8_quant.default, _C.fused_add_rms_norm_static_fp8_quant.default),
    kFp8DynamicTokenSym: (_C.rms_norm_dynamic_per_token_quant.default,) * 2,
    kFp8Dynamic128Sym: (_C.rms_norm_per_block_quant.default,) * 2,
    kFp8Dynamic64Sym: (_C.rms_norm_per_block_quant.default,) * 2,
}
FUSED_OPS = {FusedRMSQuantKey(key, bool(add)): ops[add] for key, ops in _FUSED.items() for add in (0, 1)}


def _empty(dtype):
    return lambda *args, **kwargs: torch.empty(*args, **kwargs, dtype=dtype, device=current_platform.device_type)


empty_bf16, empty_fp32 = _empty(torch.bfloat16), _empty(torch.float32)
empty_i32, empty_i64 = _empty(torch.int32), _empty(torch.int64)


def _rms_input_weight_dtype_match(match):
    """The fused kernels require input and weight of the same dtype."""
    for node in match.nodes:
        if node.target == torch.ops.vllm_ir.rms_norm.default:
            vals = [n.meta["val"] for n in node.args[:2] if hasattr(n, "meta")]
            return len({v.dtype for v in vals}) < 2
    return True
