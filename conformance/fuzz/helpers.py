"""Helper functions written alongside patterns, in the styles of vLLM's and SGLang's native layers.

Each is a helper of the generated source; `CALLS` are the templates that call them. A name that ends in `_h` asks for
sizes in a way that a symbolic graph cannot show (see traced.BY_HINT, and the Limits in src/matcher/SPEC.md).
"""
import re

SOURCE = '''
def rms_norm_up(x, weight, eps=1e-6):
    dtype = x.dtype
    x = x.to(torch.float32)
    variance = x.pow(2).mean(dim=-1, keepdim=True)
    x = x * torch.rsqrt(variance + eps)
    return x.to(dtype) * weight


def rms_norm_late(x, weight, eps=1e-5):
    y = x.float()
    y = y * (y.square().mean(-1, keepdim=True) + eps).rsqrt()
    return (y * weight.float()).to(x.dtype)


def rms_norm_gemma(x, weight, eps=1e-6):
    x_f = x.float()
    out = x_f * torch.rsqrt(torch.mean(x_f ** 2, -1, True) + eps)
    return (out * (1.0 + weight.float())).type_as(x)


def rms_norm_plain(x, eps=1e-6):
    return x / torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True).add_(eps))


def add_rms_norm(x, residual, weight, eps=1e-6):
    dtype = x.dtype
    x = x.float() + residual.float()
    residual = x.to(dtype)
    x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return x.to(dtype) * weight, residual


def layer_norm_native(x, weight, bias, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    centred = x - mean
    var = (centred * centred).mean(-1, keepdim=True)
    return centred / torch.sqrt(var + eps) * weight + bias


def l2_norm(x, eps=1e-6):
    return x * torch.rsqrt((x * x).sum(dim=-1, keepdim=True) + eps)


def gated_norm(x, gate, weight, eps=1e-5):
    x = x * F.silu(gate)
    return rms_norm_up(x, weight, eps)


def group_rms_norm_h(x, weight, groups=2):
    *lead, size = x.shape
    y = x.float().view(*lead, groups, size // groups)
    y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-5)
    return (y.view(*lead, size) * weight).to(x.dtype)


def silu_and_mul(x):
    d = x.shape[-1] // 2
    return F.silu(x[..., :d]) * x[..., d:]


def gelu_and_mul(x, approximate="tanh"):
    gate, up = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return F.gelu(gate, approximate=approximate) * up


def silu_and_mul_h(x):
    gate, up = x.chunk(2, dim=-1)
    return F.silu(gate) * up


def swiglu_limited(x, alpha=1.702, limit=7.0):
    gate, up = x[..., ::2], x[..., 1::2]
    gate = gate.clamp(min=None, max=limit)
    up = up.clamp(min=-limit, max=limit)
    return (up + 1) * gate * torch.sigmoid(gate * alpha)


def mul_and_silu(x):
    d = x.size(-1) // 2
    return x[..., :d] * F.silu(x[..., d:])


def relu_squared(x):
    return torch.square(F.relu(x))


def new_gelu(x):
    c = math.sqrt(2.0 / math.pi)
    return 0.5 * x * (1.0 + torch.tanh(c * (x + 0.044715 * torch.pow(x, 3.0))))


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def fatrelu_and_mul(x, threshold=0.01):
    d = x.shape[-1] // 2
    return F.threshold(x[..., :d], threshold, 0.0) * x[..., d:]


def static_fp8(x, scale):
    info = torch.finfo(torch.float8_e4m3fn)
    y = x.to(torch.float32) * scale.float().reciprocal().max()
    return y.clamp(info.min, info.max).to(torch.float8_e4m3fn)


def static_fp8_div(x, scale):
    limit = torch.finfo(torch.float8_e4m3fn).max
    return (x.float() / scale.float().mean()).clamp(min=-limit, max=limit).to(torch.float8_e4m3fn)


def token_fp8(x, scale_ub=None):
    limit = torch.finfo(torch.float8_e4m3fn).max
    absmax = x.abs().max(dim=-1).values.unsqueeze(-1).to(torch.float32)
    scale = (absmax if scale_ub is None else absmax.clamp(max=scale_ub)) / limit
    scale = scale.clamp(min=1.0 / (limit * 512.0))
    out = x.to(torch.float32) / scale
    return out.clamp(-limit, limit).to(torch.float8_e4m3fn), scale


def tensor_fp8(x):
    limit = torch.finfo(torch.float8_e4m3fn).max
    scale = x.abs().amax().to(torch.float32) / limit
    return (x.float() * (1.0 / scale)).clamp(-limit, limit).to(torch.float8_e4m3fn), scale


def group_fp8(x, group=4, eps=1e-10):
    info = torch.finfo(torch.float8_e4m3fn)
    y = x.reshape(-1, x.shape[-1] // group, group)
    amax = y.abs().amax(dim=-1, keepdim=True).clamp(min=eps).to(torch.float32)
    scale = amax / info.max
    q = (y / scale).clamp(min=info.min, max=info.max).to(torch.float8_e4m3fn)
    return q.reshape(x.shape), scale.squeeze(-1)


def group_fp8_ue8m0(x, group=2):
    *lead, n = x.shape
    y = x.view(*lead, n // group, group)
    scale = y.abs().float().amax(-1, True).clamp_(1e-4) / 448.0
    scale = torch.pow(2.0, torch.ceil(torch.log2(scale)))
    return (y * (1.0 / scale)).to(torch.float8_e4m3fn).view(*lead, n), scale.view(*lead, -1)


def group_fp8_padded_h(x, group=4):
    m, n = x.shape
    pad = (group - n % group) % group
    y = F.pad(x, (0, pad), value=0) if pad > 0 else x
    y = y.view(m, -1, group)
    amax = y.abs().float().amax(dim=2).view(m, -1).clamp(1e-4)
    return (y * (448.0 / amax.unsqueeze(2))).to(torch.float8_e4m3fn).view(m, n + pad)[:, :n], (amax / 448.0).view(m, -1)


def token_int8(x):
    x = x.float()
    absmax = x.abs().max(dim=-1).values
    absmax = absmax.clamp_min(1e-10).unsqueeze(-1)
    scale = absmax / 127
    q = x.mul(127 / absmax)
    return torch.round(q).to(torch.int8), scale


def int8_zero_point(x, scale, zero):
    q = torch.round(x / scale) + zero
    return torch.clamp(q, -128, 127).to(torch.int8)


def dequantize(q, scale):
    return (q.to(torch.float32) * scale).to(torch.bfloat16)


def fake_quantize(x, bits=8):
    top = 2 ** (bits - 1) - 1
    scale = x.abs().max() / top
    return (x / scale).round().clamp(-top - 1, top) * scale


def fp4_codes(x):
    sign, mag = torch.sign(x), torch.abs(x)
    mag = torch.where((mag > 0.25) & (mag < 0.75), 0.5, mag)
    mag[(mag > 5.0)] = 6.0
    return mag * sign


def scaled_mm_native(a, b, scale):
    return (torch.mm(a.float(), b.float()) * scale.float().mean()).to(a.dtype)


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def rotate_half_h(x):
    a, b = torch.chunk(x, 2, dim=-1)
    return torch.cat([-b, a], -1)


def rotate_pairs(x):
    a = x[..., ::2]
    b = x[..., 1::2]
    return torch.stack((-b, a), dim=-1).flatten(-2)


def rotary(q, k, cos, sin):
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def rotary_half_width(x, cos, sin):
    d = x.shape[-1] // 2
    x1, x2 = x[..., :d], x[..., d : 2 * d]
    c, s = cos[..., :d].to(x.dtype), sin[..., :d].to(x.dtype)
    return torch.cat((x1 * c - x2 * s, x2 * c + x1 * s), dim=-1)


def rotary_part_h(x, cos_sin, rot=4):
    cos, sin = cos_sin.chunk(2, dim=-1)
    cos, sin = cos.unsqueeze(-2).to(x.dtype), sin.unsqueeze(-2).to(x.dtype)
    a, b = torch.chunk(x[..., :rot], 2, dim=-1)
    return torch.cat([torch.cat([a * cos[..., : rot // 2] - b * sin[..., : rot // 2], b], dim=-1), x[..., rot:]], dim=-1)


def rotary_interleaved(x, cos, sin):
    a, b = x[..., ::2], x[..., 1::2]
    c, s = cos[..., ::2], sin[..., ::2]
    return torch.stack((a * c - b * s, b * c + a * s), dim=-1).reshape(x.shape)


def rotary_gathered(x, positions, cache):
    cos_sin = cache.index_select(0, positions.flatten().long().abs() % cache.shape[0])
    d = cos_sin.shape[-1] // 2
    return x[..., :d] * cos_sin[..., :d].to(x.dtype)


def rotary_complex(x, cos, sin):
    xc = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
    fc = torch.complex(cos.float()[..., ::2], sin.float()[..., ::2])
    return torch.view_as_real(xc * fc).flatten(-2).type_as(x)


def qk_norm_h(qkv, weight, heads=2):
    q, k, v = qkv.split([qkv.shape[-1] // 2, qkv.shape[-1] // 4, qkv.shape[-1] // 4], dim=-1)
    by_head = q.view(*q.shape[:-1], heads, q.shape[-1] // heads)
    by_head = by_head * torch.rsqrt(by_head.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(q.dtype)
    return by_head.view(q.shape), k, v


def split_heads(x, heads=2):
    b, d = x.shape[0], x.shape[-1]
    return x.view(b, -1, heads, d // heads).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).contiguous().view(x.shape[0], -1, x.shape[1] * x.shape[-1])


def repeat_kv(x, n=2):
    b, h, s, d = x.shape
    return x[:, :, None, :, :].expand(b, h, n, s, d).reshape(b, h * n, s, d)


def attention(q, k, v, scale=0.5):
    scores = torch.matmul(q, k.transpose(-2, -1)) * scale
    return torch.matmul(F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype), v)


def attention_masked(q, k, v, mask):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
    scores = scores.masked_fill(mask == 0, float("-inf"))
    return scores.softmax(dim=-1) @ v


def causal_h(scores):
    n, m = scores.shape[-2:]
    mask = torch.triu(torch.full((n, m), float("-inf"), device=scores.device, dtype=scores.dtype), diagonal=1)
    return (scores + mask).softmax(-1)


def alibi_h(scores, slopes):
    pos = torch.arange(scores.shape[-1], device=scores.device)
    bias = (pos[None, :] - pos[:, None]).to(scores.dtype)
    return scores + slopes.mean() * bias[: scores.shape[-2]]


def soft_cap(x, cap=30.0):
    x = x / cap
    x = torch.tanh(x)
    return x * cap


def moe_route_h(logits, k=2):
    scores = torch.softmax(logits, dim=-1, dtype=torch.float32)
    weights, ids = torch.topk(scores, k, dim=-1)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights, ids.to(torch.int32)


def moe_sigmoid_h(logits, bias, k=2):
    scores = logits.sigmoid()
    chosen = scores + bias.unsqueeze(0)
    ids = torch.topk(chosen, k=k, dim=-1, sorted=False)[1]
    return scores.gather(1, ids), ids


def moe_grouped_h(logits, groups=2, top=1):
    scores = logits.softmax(-1)
    by_group = scores.view(scores.shape[0], groups, -1).max(dim=-1).values
    chosen = torch.topk(by_group, k=top, dim=-1, sorted=False)[1]
    mask = torch.zeros_like(by_group)
    mask.scatter_(1, chosen, 1)
    mask = mask.unsqueeze(-1).expand(scores.shape[0], groups, scores.shape[-1] // groups).reshape(scores.shape[0], -1)
    return scores.masked_fill(~mask.bool(), 0.0)


def one_hot_sum_h(ids, classes=4):
    return F.one_hot(ids.long().abs() % classes, classes).sum(0).float()


def combine(hidden, weights):
    return (hidden * weights.unsqueeze(-1).to(hidden.dtype)).sum(dim=-2)


def linear_split_h(x, weight):
    qkv = F.linear(x, weight)
    q, k = qkv.tensor_split(2, dim=-1)
    return q, k


def mlp(x, weight, bias):
    h = F.linear(x, weight, bias)
    return F.linear(F.gelu(h), weight.t(), None)


def low_rank(x, weight):
    down = x @ weight[:, :2]
    return x + (down @ weight[:, :2].T) * 0.5


def residual_scaled(x, residual, scale=0.1):
    residual = residual.clone()
    residual.add_(x, alpha=scale)
    return residual


def write_half(x, y):
    out = torch.empty_like(x)
    d = x.shape[-1] // 2
    out[..., :d] = x[..., :d] * 2
    out[..., d:] = y[..., d:]
    return out


def write_row(x):
    out = torch.zeros_like(x)
    out[0] = x[0]
    out[1:] += x[:-1]
    return out


def write_mask(x, y):
    out = x.clone()
    out[y > 0] = 0
    return out


def masked_mean(x, mask):
    m = (mask > 0).to(x.dtype)
    return (x * m).sum(-1) / m.sum(-1).clamp(min=1)


def clipped_where_h(x, y, low=-1.0, high=1.0):
    inside = (x >= low) & (x <= high)
    return torch.where(inside, x, torch.where(x < low, torch.full_like(x, low), y))


def token_shift(x, mix):
    shifted = F.pad(x, (0, 0, 1, -1))
    return x * mix + shifted * (1 - mix)


def log_sum_exp_stable(x):
    top = x.max(dim=-1, keepdim=True)[0]
    return top + torch.log(torch.exp(x - top).sum(-1, keepdim=True))


def softmax_native(x):
    x = x - x.amax(-1, keepdim=True)
    e = x.exp()
    return e / e.sum(-1, keepdim=True)


def sum_of_parts_h(x):
    total = 0
    for part in x.unbind(0):
        total = total + part
    return total


def interleave_h(x, y):
    return torch.stack([x, y], dim=1).flatten(0, 1)


def windowed_h(x):
    return torch.cat([x[..., i : i + 2].mean(-1, keepdim=True) for i in range(0, x.shape[-1] - 1, 2)], dim=-1)


def conv_step_h(x, weight):
    state = torch.cat([x[:, 1:], x[:, :1]], dim=1)
    return F.silu((state * weight).sum(-1))


def vocab_mask(ids, weight):
    start, end = 2, 6
    inside = (ids >= start) & (ids < end)
    return F.embedding((inside * (ids - start)).long().clamp(0, weight.shape[0] - 1), weight).masked_fill_(~inside.unsqueeze(-1), 0)


def promoted(x, y):
    return x * 2 + y / 3 - 1 // 1 + True


def shape_maths_h(x):
    n = x.numel() // x.shape[-1]
    return x.reshape(n, x.shape[-1]) * (x.shape[-1] ** -0.5)


def normalised_weights(w):
    return torch.nn.functional.normalize(w.float(), dim=0).to(w.dtype)


class ScaledSilu:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        return self.scale * F.silu(x)
'''

CALLS = [t for t in re.split(r"\n+", """
rms_norm_up({a}, {w})
rms_norm_up({a}, {w}, {k})
rms_norm_late({a}, {w})
rms_norm_late({a}, weight={w}, eps=1e-06)
rms_norm_gemma({a}, {w})
rms_norm_gemma({a}, {w}, eps={k})
rms_norm_plain({a})
rms_norm_plain({a}.float()).to({a}.dtype)
add_rms_norm({a}, {b}, {w})[0]
add_rms_norm({a}, {b}, {w})[1]
sum(add_rms_norm({a}, {b}, {w}, {k}))
layer_norm_native({a}, {w}, {w})
l2_norm({a})
l2_norm({a}.float()).type_as({a})
gated_norm({a}, {b}, {w})
group_rms_norm_h({a}, {w})
silu_and_mul({a})
silu_and_mul({a}.float()).to({a}.dtype)
gelu_and_mul({a})
gelu_and_mul({a}, "none")
silu_and_mul_h({a})
swiglu_limited({a})
swiglu_limited({a}, limit={k})
mul_and_silu({a})
relu_squared({a})
new_gelu({a})
quick_gelu({a})
fatrelu_and_mul({a}, {k})
static_fp8({a}, {b})
static_fp8({a}, {b}).to({a}.dtype)
static_fp8_div({a}, {w})
token_fp8({a})[0]
token_fp8({a})[1]
token_fp8({a}, {k})[0].to(torch.float32)
tensor_fp8({a})[0]
tensor_fp8({a})[1]
group_fp8({a})[0]
group_fp8({a})[1]
group_fp8({a}, 2, 1e-4)[1]
group_fp8_ue8m0({a})[0]
group_fp8_ue8m0({a})[1]
group_fp8_padded_h({a})[0]
group_fp8_padded_h({a})[1]
token_int8({a})[0]
token_int8({a})[1]
int8_zero_point({a}, {b}, {n})
int8_zero_point({a}, {k}, {n})
dequantize({a}, {b})
dequantize(token_int8({a})[0], {w})
fake_quantize({a})
fake_quantize({a}, {n})
fp4_codes({a})
scaled_mm_native({a}, {m}, {b})
rotate_half({a})
rotate_half({a}) * {b} + {a} * {c}
rotate_half_h({a})
rotate_pairs({a})
rotary({a}, {b}, {c}, {c})[0]
rotary({a}, {b}, {a}, {c})[1]
rotary_half_width({a}, {b}, {c})
rotary_part_h({a}, {w})
rotary_interleaved({a}, {b}, {c})
rotary_gathered({a}, {w}, {m})
rotary_complex({a}, {b}, {c})
qk_norm_h({a}, {w})[0]
torch.cat(qk_norm_h({a}, {w}), -1)
split_heads({a})
split_heads({a}, {n})
merge_heads({a})
merge_heads(split_heads({a}))
repeat_kv({a})
repeat_kv({a}, {n})
attention({a}, {b}, {c})
attention({a}, {a}, {b}, scale={k})
attention_masked({a}, {b}, {b}, {c})
attention_masked({a}, {a}, {a}, {m})
causal_h({a})
alibi_h({a}, {w})
soft_cap({a})
soft_cap({a}, cap={k})
moe_route_h({a})[0]
moe_route_h({a})[1]
moe_sigmoid_h({a}, {w})[0]
moe_grouped_h({a})
one_hot_sum_h({a})
combine({a}, {b})
linear_split_h({a}, {m})[0]
mlp({a}, {m}, {w})
low_rank({a}, {m})
residual_scaled({a}, {b})
residual_scaled({a}, {b}, {k})
write_half({a}, {b})
write_row({a})
write_mask({a}, {b})
masked_mean({a}, {b})
clipped_where_h({a}, {b})
clipped_where_h({a}, {b}, {k}, 2.0)
token_shift({a}, {w})
log_sum_exp_stable({a})
softmax_native({a})
softmax_native({a}.float()).to({a}.dtype)
sum_of_parts_h({a})
interleave_h({a}, {b})
windowed_h({a})
conv_step_h({a}, {w})
vocab_mask({a}, {m})
promoted({a}, {b})
shape_maths_h({a})
normalised_weights({a})
ScaledSilu({k})({a})
""".strip()) if t]


def used_by(text):
    """The source of the helpers that a text calls, directly or indirectly."""
    parts = {re.match(r"(?:def|class) (\w+)", p)[1]: p for p in re.split(r"\n\n\n", SOURCE.strip())}
    wanted, todo = set(), [text]
    while todo:
        t = todo.pop()
        new = {n for n in parts if n not in wanted and re.search(rf"\b{n}\(", t)}
        wanted |= new
        todo += [parts[n] for n in new]
    return "".join(parts[n] + "\n\n\n" for n in parts if n in wanted)
