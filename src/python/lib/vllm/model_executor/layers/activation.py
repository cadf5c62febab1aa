"""vllm.model_executor.layers.activation."""

import torch
from torch.nn import functional
from vllm.model_executor.custom_op import CustomOp


@CustomOp.register("silu_and_mul")
class SiluAndMul(CustomOp):
    """silu(x[..., :d]) * x[..., d:]"""

    @staticmethod
    def forward_native(x):
        d = x.shape[-1] // 2
        return functional.silu(x[..., :d]) * x[..., d:]

    def forward_cuda(self, x):
        out = torch.empty(x.shape[:-1] + (x.shape[-1] // 2,), dtype=x.dtype, device=x.device)
        torch.ops._C.silu_and_mul(out, x)
        return out
