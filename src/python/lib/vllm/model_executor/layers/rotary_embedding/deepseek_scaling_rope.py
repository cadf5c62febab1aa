"""vllm.model_executor.layers.rotary_embedding.deepseek_scaling_rope: rotary embedding whose cosines and sines are as wide as the rotated part."""

import torch
from vllm.model_executor.custom_op import CustomOp


def _turned_by_90(x, is_neox):
    if is_neox:
        half = x.shape[-1] // 2
        return torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack((-odd, even), dim=-1).flatten(-2)


def _widened(x, is_neox):
    return (torch.cat((x, x), dim=-1) if is_neox else x.repeat_interleave(2, dim=-1)).unsqueeze(-2)


@CustomOp.register("deepseek_scaling_rotary_embedding")
class DeepseekScalingRotaryEmbedding(CustomOp):
    @staticmethod
    def forward_static(positions, query, key, head_size, rotary_dim, cos_sin_cache, is_neox_style, offsets=None):
        parts = [x[..., :rotary_dim] for x in (query, key)]
        passed = [x[..., rotary_dim:] for x in (query, key)] if rotary_dim < head_size else []
        at = positions if offsets is None else torch.add(positions, offsets)
        cos, sin = cos_sin_cache[at].chunk(2, dim=-1)
        cos, sin = _widened(cos, is_neox_style), _widened(sin, is_neox_style)
        turned = [x * cos + _turned_by_90(x, is_neox_style) * sin for x in parts]
        return tuple(torch.cat(p, dim=-1) for p in zip(turned, passed)) if passed else tuple(turned)
