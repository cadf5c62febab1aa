"""vllm.model_executor.layers.rotary_embedding.common: the rotation of one tensor by given cosines and sines."""

import torch
from vllm.model_executor.custom_op import CustomOp


@CustomOp.register("apply_rotary_emb")
class ApplyRotaryEmb(CustomOp):
    @staticmethod
    def forward_static(x, cos, sin, is_neox_style=True, enable_fp32_compute=False):
        dtype = x.dtype
        x = x.float() if enable_fp32_compute else x
        cos, sin = (t.unsqueeze(-2).to(x.dtype) for t in (cos, sin))
        first, second = torch.chunk(x, 2, dim=-1) if is_neox_style else (x[..., ::2], x[..., 1::2])
        halves = first * cos - second * sin, second * cos + first * sin
        turned = torch.cat(halves, dim=-1) if is_neox_style else torch.stack(halves, dim=-1).flatten(-2)
        return turned.to(dtype) if enable_fp32_compute else turned
