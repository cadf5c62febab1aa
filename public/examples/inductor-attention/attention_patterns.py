"""Attention written out, to be replaced by scaled_dot_product_attention.

One class makes all the patterns; what tells them apart are its fields. The registration tree draws these as its axes.
"""

from dataclasses import dataclass
from itertools import product

import torch
from torch._inductor.pattern_matcher import fwd_only, register_replacement

# Stands for the scale while a pattern is traced: a number that no graph has by accident.
SCALE = 0.113377


@dataclass
class Attention:
    scaled_by: str
    masked: bool
    heads: str
    precision: str

    def scaled(self, scores, scale):
        return scores / scale if self.scaled_by == "division" else scores * scale

    def softmax(self, scores, mask):
        """In half precision a plain softmax is computed in float32 as well: upcasting it by hand traces to the same."""
        dtype = scores.dtype
        if self.precision == "upcast":
            scores = scores.float()
        return torch.softmax(scores if mask is None else scores + mask, dim=-1).to(dtype)

    def in_order(self, *tensors):
        """[batch, heads, tokens, size], which is what both sides compute with."""
        return tensors if self.heads == "first" else tuple(t.permute(0, 2, 1, 3) for t in tensors)

    def eager(self, query, key, value, scale, mask=None):
        query, key, value = self.in_order(query, key, value)
        scores = self.scaled(query @ key.transpose(-2, -1), scale)
        return self.softmax(scores, mask) @ value

    def fused(self, query, key, value, scale, mask=None):
        query, key, value = self.in_order(query, key, value)
        return torch.nn.functional.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=None if mask is None else mask.to(query.dtype),
            scale=1 / scale if self.scaled_by == "division" else scale,
        )

    @property
    def functions(self):
        if self.masked:
            return (
                lambda query, key, value, mask, scale: self.eager(query, key, value, scale, mask),
                lambda query, key, value, mask, scale: self.fused(query, key, value, scale, mask),
            )
        return (
            lambda query, key, value, scale: self.eager(query, key, value, scale),
            lambda query, key, value, scale: self.fused(query, key, value, scale),
        )

    @property
    def inputs(self):
        # float16 stands for both half precisions: a cast's dtype is left open at first, and read when a match is checked.
        dtype = torch.float32 if self.precision == "full" else torch.float16
        shape = (2, 4, 8, 16) if self.heads == "first" else (2, 8, 4, 16)
        qkv = [torch.empty(shape, dtype=dtype) for _ in range(3)]
        mask = torch.empty(2, 1, 8, 8, dtype=torch.float32 if self.precision == "upcast" else dtype)
        return [*qkv, mask] if self.masked else qkv

    @property
    def name(self):
        mask = "masked" if self.masked else "plain"
        return f"{self.scaled_by}_{mask}_heads_{self.heads}_{self.precision}"

    def register(self, patterns, **kwargs):
        search, replace = self.functions
        workaround = {"scale": SCALE}
        register_replacement(search, replace, self.inputs, fwd_only, patterns, scalar_workaround=workaround, **kwargs)


ALL = [
    Attention(scaled_by, masked, heads, precision)
    for scaled_by, masked, heads in product(("division", "multiplication"), (False, True), ("first", "last"))
    for precision in ("full", "half", *(["upcast"] if masked else []))
]
