"""torch.nn.functional.multi_head_attention_forward."""

import math

from _fusescope import bridge

from torch import _calls


def _linear(x, weight, bias):
    return bridge.op("aten.linear.default", (x, weight) if bias is None else (x, weight, bias), {})


def _packed(x, weight, bias, parts, width):
    """One projection that yields several: its last dimension split, the parts first."""
    out = _linear(x, weight, bias)
    return out.unflatten(-1, (parts, width)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()


def _projected(q, k, v, weight, bias):
    width = q.size(-1)
    if k is v and q is k:
        out = _packed(q, weight, bias, 3, width)
        return out[0], out[1], out[2]
    if k is v:
        w_q, w_kv = weight.split([width, width * 2])
        b_q, b_kv = (None, None) if bias is None else bias.split([width, width * 2])
        first = _linear(q, w_q, b_q)
        out = _packed(k, w_kv, b_kv, 2, width)
        return first, out[0], out[1]
    weights = weight.chunk(3)
    biases = (None, None, None) if bias is None else bias.chunk(3)
    return tuple(_linear(x, w, b) for x, w, b in zip((q, k, v), weights, biases))


def _float_mask(mask, dtype):
    """A mask of booleans as numbers to add: -inf where it is True."""
    if mask is None or mask.dtype.is_floating_point:
        return mask
    zeros = bridge.op("aten.zeros_like.default", (mask,), {"dtype": dtype})
    return zeros.masked_fill_(mask, float("-inf"))


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    given = {
        "attn_mask": attn_mask,
        "dropout_p": dropout_p,
        "is_causal": is_causal,
        "scale": scale,
        "enable_gqa": enable_gqa,
    }
    plain = {"attn_mask": None, "dropout_p": 0.0, "is_causal": False, "scale": None, "enable_gqa": False}
    kwargs = {k: v for k, v in given.items() if v is not plain[k] and v != plain[k]}
    return _calls.op("aten.scaled_dot_product_attention.default", (query, key, value), kwargs)


def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
):
    if bias_k is not None or bias_v is not None or add_zero_attn or static_k is not None or static_v is not None:
        raise NotImplementedError(
            "Fusescope's multi_head_attention_forward has no bias_k, bias_v, add_zero_attn, static_k, static_v"
        )
    batched = query.dim() == 3
    if not batched:
        query, key, value = (x.unsqueeze(1) for x in (query, key, value))
        key_padding_mask = key_padding_mask if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, batch, width = query.shape
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    key_padding_mask = _float_mask(key_padding_mask, query.dtype)
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None
    else:
        attn_mask = _float_mask(attn_mask, query.dtype)
        is_causal = is_causal and key_padding_mask is None
    if use_separate_proj_weight:
        biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        q, k, v = (_linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases))
    else:
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None and attn_mask.dim() == 2:
        attn_mask = attn_mask.unsqueeze(0)
    head = width // num_heads
    q, k, v = (x.view(x.shape[0], batch * num_heads, head).transpose(0, 1) for x in (q, k, v))
    sources = k.size(1)
    if key_padding_mask is not None:
        wide = key_padding_mask.view(batch, 1, 1, sources).expand(-1, num_heads, -1, -1)
        padding = wide.reshape(batch * num_heads, 1, sources)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    sizes = (length, batch, width, num_heads, head, sources)
    out = (out_proj_weight, out_proj_bias)
    dropout_p = dropout_p if training else 0.0
    if need_weights:
        return _with_weights(q, k, v, attn_mask, dropout_p, out, sizes, average_attn_weights, batched)
    if attn_mask is not None:
        first = attn_mask.size(0) == 1 and attn_mask.dim() == 3
        attn_mask = attn_mask.unsqueeze(0) if first else attn_mask.view(batch, num_heads, -1, sources)
    q = q.view(batch, num_heads, length, head)
    k, v = k.view(batch, num_heads, sources, head), v.view(batch, num_heads, sources, head)
    made = scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal)
    made = _linear(made.permute(2, 0, 1, 3).contiguous().view(batch * length, width), *out)
    made = made.view(length, batch, made.size(1))
    return made if batched else made.squeeze(1), None


def _with_weights(q, k, v, mask, dropout_p, out, sizes, average, batched):
    length, batch, width, heads, head, sources = sizes
    scaled = q * math.sqrt(1.0 / float(q.shape[-1]))
    turned = k.transpose(-2, -1)
    weights = scaled.bmm(turned) if mask is None else bridge.op("aten.baddbmm.default", (mask, scaled, turned), {})
    weights = weights.softmax(-1)
    if dropout_p > 0.0:
        weights = bridge.op("aten.dropout.default", (weights, dropout_p, True), {})
    made = weights.bmm(v).transpose(0, 1).contiguous().view(length * batch, width)
    made = _linear(made, *out)
    made = made.view(length, batch, made.size(1))
    weights = weights.view(batch, heads, length, sources)
    weights = weights.mean(dim=1) if average else weights
    return (made, weights) if batched else (made.squeeze(1), weights.squeeze(0))
