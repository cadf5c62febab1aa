"""vllm.model_executor.layers.rotary_embedding: rotary embedding of the head's first rotary_dim columns."""

import torch
from vllm.model_executor.custom_op import CustomOp

from .common import ApplyRotaryEmb


@CustomOp.register("rotary_embedding")
class RotaryEmbedding(CustomOp):
    @staticmethod
    def forward_static(positions, query, key, head_size, rotary_dim, cos_sin_cache, is_neox_style):
        positions = positions.flatten()
        tokens = positions.shape[0]
        cos, sin = cos_sin_cache.index_select(0, positions).chunk(2, dim=-1)

        def turn(x):
            heads = x.view(tokens, -1, head_size)
            turned = ApplyRotaryEmb.forward_static(heads[..., :rotary_dim], cos, sin, is_neox_style)
            return torch.cat((turned, heads[..., rotary_dim:]), dim=-1).reshape(x.shape)

        return turn(query), None if key is None else turn(key)
