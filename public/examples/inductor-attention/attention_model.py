"""Attention as people write it by hand: each function is one way. The graph is torch.compile's, before its joint passes."""

import math

import torch


def divided(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v


def multiplied(q, k, v):
    return (q @ k.transpose(-2, -1) * 0.25).softmax(dim=-1) @ v


def masked(q, k, v, mask):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + mask).softmax(dim=-1) @ v


def masked_multiplied(q, k, v, mask):
    return (q @ k.transpose(-2, -1) * 0.25 + mask).softmax(dim=-1) @ v


def heads_last(q, k, v):
    """Inputs of [batch, tokens, heads, size], as they come out of a projection."""
    q, k, v = (t.permute(0, 2, 1, 3) for t in (q, k, v))
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v


def upcast(q, k, v, mask):
    """Half precision, with the softmax in float32."""
    scores = q @ k.transpose(-2, -1) * 0.25 + mask
    return torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype) @ v


def scores_upcast(q, k, v, mask):
    """The scores in float32 before a float32 mask is added."""
    scores = (q @ k.transpose(-2, -1) * 0.25).float() + mask
    return torch.softmax(scores, dim=-1).to(q.dtype) @ v


def grouped(q, k, v, mask):
    """Fewer heads for keys and values than for queries: each is repeated."""

    def repeated(t):
        batch, heads, tokens, size = t.shape
        repeats = q.shape[1] // heads
        return t[:, :, None].expand(batch, heads, repeats, tokens, size).reshape(batch, heads * repeats, tokens, size)

    scores = q @ repeated(k).transpose(-2, -1) * 0.25 + mask
    return torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype) @ repeated(v)


def dropout_free(q, k, v):
    """A dropout that is off leaves nothing in the graph."""
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return torch.nn.functional.dropout(weights, p=0.1, training=False) @ v


def weights_kept(q, k, v):
    """The weights are returned too, so that they cannot go: nothing may be replaced."""
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return weights @ v, weights


def wrong_axis(q, k, v):
    """A softmax over the queries is no attention, and looks just like it until its dimension is read."""
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-2) @ v


def inputs(shape, dtype, kv_heads=None, mask=None):
    batch, heads, tokens, size = shape
    kv = (batch, kv_heads or heads, tokens, size)
    qkv = [torch.empty(s, dtype=dtype) for s in (shape, kv, kv)]
    return [*qkv, torch.empty(batch, 1, tokens, tokens, dtype=mask)] if mask else qkv


F32, BF16, F16 = torch.float32, torch.bfloat16, torch.float16
SHAPE = (2, 4, 32, 16)

# What is recorded: a name, the function and its inputs.
FORMS = {
    "divided": (divided, inputs(SHAPE, F32)),
    "multiplied": (multiplied, inputs(SHAPE, F32)),
    "masked": (masked, inputs(SHAPE, F32, mask=F32)),
    "masked-multiplied": (masked_multiplied, inputs(SHAPE, F32, mask=F32)),
    "heads-last": (heads_last, inputs((2, 32, 4, 16), F32)),
    "half": (divided, inputs(SHAPE, BF16)),
    "half-masked": (masked_multiplied, inputs(SHAPE, F16, mask=F16)),
    "half-heads-last": (heads_last, inputs((2, 32, 4, 16), BF16)),
    "upcast": (upcast, inputs(SHAPE, BF16, mask=BF16)),
    "upcast-float32": (upcast, inputs(SHAPE, F32, mask=F32)),
    "scores-upcast": (scores_upcast, inputs(SHAPE, BF16, mask=F32)),
    "grouped": (grouped, inputs(SHAPE, BF16, kv_heads=2, mask=BF16)),
    "dropout-free": (dropout_free, inputs(SHAPE, F32)),
    "batch-of-one": (divided, inputs((1, 4, 32, 16), F32)),
    "weights-kept": (weights_kept, inputs(SHAPE, F32)),
    "wrong-axis": (wrong_axis, inputs(SHAPE, F32)),
}
