"""Blocks of models, each written in the ways that engineers write it.

Reason for length: one table.

A block is a line `name(argument:shape[:dtype], …) constant=value|value …` and its ways, separated by `--`. The first argument is the
hidden state. In a shape, X is the hidden state's, T all its leading sizes, H its last, I twice that, P four times that, D half of it
(a head of two), V a vocabulary, C channels, S, B its sizes by position; in a body they are written $H, and $k is a constant.
A block whose name ends in `!` makes a result and no new hidden state; the rank it needs follows the name (`@2`).
"""
import re

from . import layers

TEXT = '''
rms_norm(x:X, w:H) eps=1e-6|1e-5
dtype = x.dtype
h = x.to(torch.float32)
var = h.pow(2).mean(-1, keepdim=True)
h = h * torch.rsqrt(var + $eps)
return w * h.to(dtype)
--
return F.rms_norm(x, ($H,), w, $eps)
--
h = x.float()
n = h * torch.rsqrt(torch.mean(h * h, dim=-1, keepdim=True) + $eps)
return (n * w.float()).type_as(x)
--
rms = torch.sqrt(torch.mean(torch.square(x), -1, keepdim=True) + $eps)
return x / rms * w
--
ms = x.float().square().mean(dim=-1, keepdim=True)
y = x * torch.rsqrt(ms + $eps).to(x.dtype)
return y * (1 + w)
--
n = torch.linalg.vector_norm(x.float(), dim=-1, keepdim=True) * $H ** -0.5
return (x.float() / (n + $eps)).to(x.dtype) * w

layer_norm(x:X, w:H, b:H) eps=1e-5|1e-6
return F.layer_norm(x, ($H,), w, b, $eps)
--
mu = x.mean(-1, keepdim=True)
var = x.var(-1, keepdim=True, unbiased=False)
return (x - mu) / torch.sqrt(var + $eps) * w + b
--
var, mu = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
return torch.addcmul(b, (x - mu) * torch.rsqrt(var + $eps), w)
--
y, mean, rstd = torch.native_layer_norm(x, [$H], w, b, $eps)
return y
--
h = x.float()
c = h - h.mean(dim=-1, keepdim=True)
v = (c ** 2).mean(dim=-1, keepdim=True)
return (c * torch.rsqrt(v + $eps)).to(x.dtype) * w + b

add_rms_norm(x:X, residual:X, w:H) eps=1e-6|1e-5
h = x + residual
f = h.float()
v = f.pow(2).mean(-1, keepdim=True)
return (f * torch.rsqrt(v + $eps)).to(x.dtype) * w, h
--
h = x.to(torch.float32) + residual.to(torch.float32)
out = h.to(x.dtype)
y = F.rms_norm(h, [$H], w.float(), $eps)
return y.to(x.dtype), out
--
residual = residual + x
return F.rms_norm(residual, (residual.shape[-1],), w, $eps), residual

add_layer_norm(x:X, residual:X, w:H, b:H) eps=1e-5
h = x + residual
return F.layer_norm(h, [$H], w, b), h
--
h = torch.add(residual, x)
return torch.layer_norm(h, [h.size(-1)], w, b, $eps), h
--
h = x.add(residual, alpha=1)
return F.layer_norm(h, h.shape[-1:], weight=w, bias=b, eps=$eps), h

linear(x:X, w:H,H, b:H)
return F.linear(x, w, b)
--
return x @ w.t() + b
--
return torch.matmul(x, w.T).add(b)
--
flat = x.reshape(-1, $H)
return torch.addmm(b, flat, w.t()).view(x.shape)
--
return torch.einsum("...h,oh->...o", x, w) + b

lora(x:X, w:H,H, a:2,H, c:H,2) s=0.5|2.0
return F.linear(x, w) + F.linear(F.linear(x, a), c) * $s
--
delta = (x @ a.T) @ c.T
return torch.add(x @ w.T, delta, alpha=$s)
--
return x @ (w + $s * (c @ a)).t()

mlp(x:X, w1:I,H, w2:H,I) ap="none"|"tanh"
h = F.gelu(F.linear(x, w1), approximate=$ap)
return F.linear(h, w2)
--
h = x @ w1.t()
h = h * 0.5 * (1.0 + torch.erf(h / math.sqrt(2.0)))
return h @ w2.t()
--
h = torch.relu(F.linear(x, w1)).square()
return F.linear(h, w2)
--
h = F.linear(x, w1)
h = 0.5 * h * (1 + torch.tanh(0.7978845608028654 * (h + 0.044715 * h.pow(3))))
return F.linear(h, w2)
--
h = F.linear(x, w1)
return torch.matmul(h * torch.sigmoid(1.702 * h), w2.transpose(0, 1))
--
h = F.leaky_relu(F.linear(x, w1), 0.1)
return F.linear(h, w2)

gated_mlp(x:X, wg:I,H, wu:I,H, wd:H,I)
return F.linear(F.silu(F.linear(x, wg)) * F.linear(x, wu), wd)
--
g = x @ wg.t()
u = x @ wu.t()
h = g * torch.sigmoid(g) * u
return h @ wd.t()
--
g, u = torch.matmul(x, wg.T), torch.matmul(x, wu.T)
return torch.matmul(torch.mul(F.gelu(g, approximate="tanh"), u), wd.T)
--
g = F.linear(x, wg)
g = torch.clamp(g, max=7.0)
u = F.linear(x, wu).clamp(-7.0, 7.0)
return F.linear((u + 1) * (g * torch.sigmoid(g * 1.702)), wd)

gate_up(x:X, w:P,H, wd:H,I)
g, u = F.linear(x, w).chunk(2, dim=-1)
return F.linear(F.silu(g) * u, wd)
--
h = F.linear(x, w)
d = h.shape[-1] // 2
return F.linear(F.silu(h[..., :d]) * h[..., d:], wd)
--
g, u = torch.split(x @ w.t(), [$I, $I], dim=-1)
return (F.gelu(g) * u) @ wd.t()
--
return F.linear(F.glu(F.linear(x, w), dim=-1), wd)
--
h = F.linear(x, w).unflatten(-1, (2, $I))
g, u = h.unbind(-2)
return F.linear(F.silu(g) * u, wd)
--
h = F.linear(x, w)
return F.linear(F.silu(h.narrow(-1, 0, $I)).mul(h.narrow(-1, $I, $I)), wd)

attention@3(x:X, wq:H,H, wk:H,H, wv:H,H) sc=0.25|0.35
q = F.linear(x, wq).view($B, -1, 2, $D).transpose(1, 2)
k = F.linear(x, wk).view($B, -1, 2, $D).transpose(1, 2)
v = F.linear(x, wv).view($B, -1, 2, $D).transpose(1, 2)
o = F.scaled_dot_product_attention(q, k, v)
return o.transpose(1, 2).reshape($B, -1, $H)
--
b, s, _ = x.shape
q = (x @ wq.t()).reshape(b, s, 2, $D).permute(0, 2, 1, 3)
k = (x @ wk.t()).reshape(b, s, 2, $D).permute(0, 2, 1, 3)
v = (x @ wv.t()).reshape(b, s, 2, $D).permute(0, 2, 1, 3)
p = torch.softmax(q @ k.transpose(-2, -1) * $sc, dim=-1)
return (p @ v).permute(0, 2, 1, 3).contiguous().view(b, s, $H)
--
q, k, v = F.linear(x, wq), F.linear(x, wk), F.linear(x, wv)
scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt($H)
mask = torch.triu(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool), diagonal=1)
scores = scores.masked_fill(mask, float("-inf"))
return torch.bmm(F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype), v)
--
q = torch.einsum("bsh,dh->bsd", x, wq)
k = torch.einsum("bsh,dh->bsd", x, wk)
att = torch.einsum("bsd,btd->bst", q, k).mul($sc).softmax(-1)
return torch.einsum("bst,btd->bsd", att, F.linear(x, wv))
--
q, k, v = (F.linear(x, w).unflatten(-1, (2, $D)).transpose(1, 2) for w in (wq, wk, wv))
return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=$sc).transpose(1, 2).flatten(-2)

sdpa4@4(x:X, k:X, v:X) sc=0.25|0.125
return F.scaled_dot_product_attention(x, k, v, scale=$sc)
--
w = torch.matmul(x, k.transpose(-2, -1)).mul($sc)
return torch.matmul(torch.softmax(w.float(), dim=-1).to(x.dtype), v)
--
w = torch.matmul(x, k.transpose(-1, -2)).div(4.0)
return F.dropout(w.softmax(dim=-1), 0.0).matmul(v)
--
w = x @ k.mT * $sc
w = w - w.amax(-1, keepdim=True)
e = torch.exp(w)
return (e / e.sum(-1, keepdim=True)) @ v
--
w = torch.tanh(x @ k.transpose(2, 3) * $sc / 30.0) * 30.0
return w.softmax(-1) @ v

rope4@4(x:X, cos:S,H, sin:S,H)
x1, x2 = x.chunk(2, dim=-1)
return x * cos + torch.cat((-x2, x1), dim=-1) * sin
--
d = x.shape[-1] // 2
rot = torch.cat([-x[..., d:], x[..., :d]], dim=-1)
return (x * cos.unsqueeze(0).unsqueeze(0)) + (rot * sin.unsqueeze(0).unsqueeze(0))
--
a, b = x[..., ::2], x[..., 1::2]
c, s = cos[..., ::2], sin[..., ::2]
return torch.stack((a * c - b * s, b * c + a * s), dim=-1).flatten(-2)
--
x1 = x[..., : $H // 2]
x2 = x[..., $H // 2 :]
c, s = cos[:, : $H // 2].to(x.dtype), sin[:, : $H // 2].to(x.dtype)
return torch.cat((x1 * c - x2 * s, x2 * c + x1 * s), -1)

rope2@2(x:X, cos:T,D:f32, sin:T,D:f32)
a, b = torch.chunk(x.float(), 2, dim=-1)
return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1).to(x.dtype)
--
a, b = x[:, :$D], x[:, $D:]
return torch.cat([(a * cos - b * sin).type_as(x), (b * cos + a * sin).type_as(x)], dim=1)
--
z = torch.view_as_complex(x.float().reshape(-1, $D, 2))
return torch.view_as_real(z * torch.complex(cos, sin)).flatten(1).to(x.dtype)

rope_cache@2(x:X, cache:16,H, pos:T:ids16)
c, s = cache[pos].chunk(2, dim=-1)
a, b = x.chunk(2, -1)
return torch.cat((a * c - b * s, b * c + a * s), dim=-1)
--
cs = cache.index_select(0, pos)
c, s = cs[:, :$D], cs[:, $D:]
a, b = x[..., :$D], x[..., $D:]
return torch.cat((a * c - b * s, b * c + a * s), dim=-1)
--
c, s = F.embedding(pos, cache).split($D, dim=-1)
a, b = torch.tensor_split(x, 2, dim=-1)
return torch.concat([a.mul(c).sub(b.mul(s)), b.mul(c).add(a.mul(s))], -1)

softmax_head!(x:X, w:V,H) t=0.7|2.0
logits = F.linear(x, w)
return torch.softmax(logits / $t, dim=-1)
--
logits = (x @ w.t()).float()
logits = logits.div($t)
return F.softmax(logits, -1)
--
logits = torch.matmul(x, w.T) * $t
return torch.log_softmax(logits, dim=-1), logits.argmax(-1)
--
logits = F.linear(x, w)
logits = torch.tanh(logits / 30.0) * 30.0
return logits.softmax(-1, dtype=torch.float32)

sample_head!@2(x:X, w:V,H) k=4|2
p, ids = torch.topk(torch.softmax(F.linear(x, w), -1), $k)
return p / p.sum(-1, keepdim=True), ids
--
logits = F.linear(x, w).float()
v, _ = torch.topk(logits, $k, dim=-1)
logits = logits.masked_fill(logits < v[:, -1:], -float("inf"))
return logits.softmax(dim=-1)
--
probs, idx = torch.sort(torch.softmax(x @ w.T, dim=-1), dim=-1, descending=True)
cum = torch.cumsum(probs, dim=-1)
return torch.where(cum - probs > 0.9, torch.zeros_like(probs), probs), idx
--
scores = torch.sigmoid(F.linear(x, w))
ids = scores.topk($k, dim=-1, sorted=False).indices
return scores.gather(1, ids), ids.to(torch.int32)

loss_head!@2(x:X, w:V,H, y:T:idsV)
return F.cross_entropy(F.linear(x, w), y)
--
lp = F.log_softmax(x @ w.t(), dim=-1)
return F.nll_loss(lp, y)
--
lp = torch.log_softmax((x @ w.t()).float(), -1)
return -lp.gather(-1, y.unsqueeze(-1)).squeeze(-1).mean()
--
logits = F.linear(x, w)
return (torch.logsumexp(logits, -1) - logits.gather(1, y[:, None])[:, 0]).sum()
--
onehot = F.one_hot(y, $V).to(x.dtype)
return -(onehot * F.log_softmax(F.linear(x, w), 1)).sum(1)

quant_int8!(x:X, s:1) lo=-128|-127
q = torch.round(x / s)
return torch.clamp(q, $lo, 127).to(torch.int8)
--
return (x * s.reciprocal()).round().clamp($lo, 127).to(torch.int8)
--
info = torch.iinfo(torch.int8)
return x.div(s).round_().clamp_(info.min, info.max).to(torch.int8)
--
return (x.float() / s.float()).round().clamp(min=$lo, max=127).type(torch.int8)

quant_fp8!(x:X, s:1:f32)
m = torch.finfo(torch.float8_e4m3fn).max
return (x.float() * s.reciprocal()).clamp(-m, m).to(torch.float8_e4m3fn)
--
y = x.to(torch.float32) / s
return torch.clamp(y, min=-448.0, max=448.0).to(torch.float8_e4m3fn)
--
return (x / s).clip(-448.0, 448.0).to(dtype=torch.float8_e4m3fn)

token_quant!(x:X) eps=1e-10|1e-5
a = x.abs().amax(dim=-1, keepdim=True).clamp(min=$eps)
s = a.float() / 127.0
return torch.round(x / s).to(torch.int8), s
--
a = torch.max(torch.abs(x.float()), dim=-1)[0].unsqueeze(-1)
s = torch.clamp_min(a, $eps) / 448
return (x.float() / s).clamp(-448, 448).to(torch.float8_e4m3fn), s
--
lo, hi = torch.aminmax(x, dim=-1, keepdim=True)
s = (hi - lo).clamp(min=$eps) / 255
z = torch.round(-lo / s)
return torch.clamp(torch.round(x / s) + z, 0, 255).to(torch.uint8), s, z
--
s = x.abs().max(dim=-1, keepdim=True).values / 127
return (x / s).round().to(torch.int8), s.squeeze(-1)

group_quant!(x:X) g=4|8
g = x.reshape(-1, $H // $g, $g)
a = g.abs().amax(-1, keepdim=True).clamp(min=1e-4)
return (g / (a / 448.0)).to(torch.float8_e4m3fn).view(x.shape), (a / 448.0).squeeze(-1)
--
g = x.float().unflatten(-1, (-1, $g))
s = g.abs().amax(dim=-1, keepdim=True) / 127.0
s = torch.exp2(torch.ceil(torch.log2(s)))
return torch.round(g / s).to(torch.int8).flatten(-2), s[..., 0]

dequant(x:X, q:H,H:i8, s:H:f32)
w = q.to(x.dtype) * s.to(x.dtype).unsqueeze(-1)
return F.linear(x, w)
--
w = (q.float() * s[:, None]).to(x.dtype)
return x @ w.t()
--
return (torch.matmul(x, q.to(x.dtype).T).float() * s).to(x.dtype)

fake_quant(x:X) s=0.05|0.1
return torch.fake_quantize_per_tensor_affine(x, $s, 0, -128, 127)
--
return torch.clamp(torch.round(x / $s), -128, 127) * $s
--
q = torch.clamp(torch.round(x * (1.0 / $s)), -128.0, 127.0).to(torch.int8)
return (q.to(torch.float32) * $s).to(x.dtype)

residual(x:X, r:X) a=0.5|2
return x + r * $a
--
return torch.add(x, r, alpha=$a)
--
return torch.lerp(x, r, $a)
--
y = r.clone()
y.add_(x, alpha=$a)
return y
--
return torch.where(r > 0, x, r * $a)

gate(x:X, r:X)
return F.silu(x) * r
--
return x * torch.sigmoid(x) * r
--
return torch.mul(r, F.gelu(x))
--
return r * F.hardswish(x)
--
return torch.addcmul(r, x, torch.sigmoid(r), value=0.5)
--
return F.mish(x) * r + x

activation(x:X)
return F.relu(x)
--
return x.clamp(min=0)
--
return torch.maximum(x, torch.zeros_like(x))
--
return F.relu6(x)
--
return F.softplus(x)
--
return x * (torch.tanh(F.softplus(x)))
--
return F.elu(x, alpha=0.5)
--
return torch.where(x > 0, x, 0.01 * x)
--
return x * F.relu6(x + 3) / 6
--
return F.hardtanh(x, -2.0, 2.0) + F.logsigmoid(x)

layer_scale(x:X, w:H) p=0.1|0.0
return F.dropout(x, $p, training=False) * w
--
return x * w.view(1, -1)
--
return (x.transpose(-1, -2) * w[:, None]).transpose(-1, -2)
--
return x.mul(w.reshape(-1))

normalize(x:X) eps=1e-12|1e-6
return F.normalize(x, dim=-1)
--
return x / x.norm(dim=-1, keepdim=True).clamp(min=$eps)
--
return x * torch.rsqrt((x * x).sum(-1, keepdim=True) + $eps)
--
return x / (torch.linalg.norm(x, dim=-1, keepdim=True) + $eps)
--
return (x - x.mean()) / (x.std() + $eps)

split_sum(x:X)
a, b = x.chunk(2, -1)
return torch.cat([a + b, a - b], dim=-1)
--
a, b = torch.split(x, $D, dim=-1)
return torch.cat((b, a), -1)
--
parts = x.split([2, $H - 2], dim=-1)
return torch.cat([parts[1], parts[0]], dim=-1)
--
return torch.roll(x, 1, dims=-1) + x.flip(-1)
--
a, b = x.unflatten(-1, (2, $D)).unbind(dim=-2)
return torch.stack([a * 2, b], dim=-2).flatten(-2)
--
return torch.cat([x[..., 1:], F.pad(x[..., :1], (0, 0))], -1)

token_mix@3(x:X, mu:H)
prev = F.pad(x, (0, 0, 1, -1))
return x * mu + prev * (1 - mu)
--
prev = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
return torch.lerp(prev, x, mu)
--
return x.cumsum(dim=1) / torch.arange(1, x.shape[1] + 1).view(1, -1, 1).to(x.dtype)
--
return x + x.mean(dim=1, keepdim=True).expand_as(x)

moe@2(x:X, wr:4,H, we:4,H,H) k=2|1
scores = torch.softmax(F.linear(x, wr), dim=-1)
w, ids = torch.topk(scores, $k, dim=-1)
mask = torch.zeros_like(scores).scatter(1, ids, w)
y = torch.einsum("th,ehd->ted", x, we)
return (y * mask.unsqueeze(-1)).sum(1)
--
scores = F.linear(x, wr).sigmoid()
ids = scores.topk($k, -1)[1]
w = torch.gather(scores, 1, ids)
w = w / (w.sum(-1, keepdim=True) + 1e-20)
one = F.one_hot(ids, 4).to(x.dtype)
gate = torch.einsum("tk,tke->te", w, one)
return torch.bmm(x.expand(4, -1, -1), we).permute(1, 0, 2).mul(gate[:, :, None]).sum(dim=1)

masked@3(x:X, m:B,S:b8)
return x.masked_fill(~m.unsqueeze(-1), 0.0)
--
return x * m[..., None].to(x.dtype)
--
return torch.where(m[:, :, None], x, torch.tensor(0.0, dtype=x.dtype))
--
n = m.sum(1, keepdim=True).clamp(min=1)
return x + ((x * m.unsqueeze(-1)).sum(1) / n).unsqueeze(1)

embed@2(x:X, ids:T:idsV, table:V,H) z=0.0|1.0
return x + F.embedding(ids, table)
--
return x + table[ids] * math.sqrt($H)
--
return x + table.index_select(0, ids)
--
pos = torch.arange(ids.shape[0], device=ids.device) % $V
return x + table[ids] + F.embedding(pos, table)
--
ok = (ids >= 1) & (ids < 6)
rows = F.embedding(torch.where(ok, ids, 0), table)
return x + rows.masked_fill(~ok.unsqueeze(-1), $z)

cache@2(x:X, kv:24,H, slot:T:slots)
kv = kv.clone()
kv[slot] = x
return kv[slot] + x
--
new = kv.index_copy(0, slot, x)
return new.index_select(0, slot)
--
new = torch.index_put(kv, (slot,), x * 2)
return torch.nn.functional.embedding(slot, new)

conv_bn@5(x:X, w:C,C,3,3, g:C, b:C, m:C, v:C) eps=1e-5|1e-3
return F.relu(F.batch_norm(F.conv2d(x, w, padding=1), m, v, g, b, training=False, eps=$eps))
--
y = F.conv2d(x, w, None, stride=1, padding=(1, 1))
s = g * torch.rsqrt(v + $eps)
return torch.relu((y - m[None, :, None, None]) * s.view(1, -1, 1, 1) + b.view(1, -1, 1, 1))
--
s = g / torch.sqrt(v + $eps)
y = F.conv2d(x, w * s.reshape(-1, 1, 1, 1), b - m * s, padding=1)
return F.silu(y)
--
y = F.conv2d(F.pad(x, (1, 1, 1, 1)), w)
return F.batch_norm(y, m, v, g, b, False, 0.1, $eps).clamp_(min=0)

depthwise@5(x:X, w:C,1,3,3, p:C,C,1,1, b:C)
return F.conv2d(F.conv2d(x, w, padding=1, groups=$C), p, b)
--
y = F.conv2d(x, w, stride=1, padding=1, groups=x.shape[1])
return F.hardswish(torch.conv2d(y, p, b))
--
y = F.conv2d(x, w, padding="same", groups=$C)
return torch.einsum("nchw,oc->nohw", y, p[:, :, 0, 0]) + b.view(-1, 1, 1)

group_norm@5(x:X, w:C, b:C) eps=1e-5|1e-6
return F.silu(F.group_norm(x, 2, w, b, $eps))
--
y = x.reshape(x.shape[0], 2, -1)
y = (y - y.mean(-1, keepdim=True)) * torch.rsqrt(y.var(-1, keepdim=True, unbiased=False) + $eps)
return y.view(x.shape) * w.view(1, -1, 1, 1) + b[None, :, None, None]
--
return F.instance_norm(x, weight=w, bias=b, eps=$eps)

squeeze_excite@5(x:X, w1:2,C, w2:C,2)
s = F.adaptive_avg_pool2d(x, 1).flatten(1)
s = torch.sigmoid(F.linear(F.relu(F.linear(s, w1)), w2))
return x * s[:, :, None, None]
--
s = x.mean((2, 3), keepdim=True)
s = F.conv2d(F.silu(F.conv2d(s, w1[:, :, None, None])), w2.unsqueeze(-1).unsqueeze(-1))
return x * s.sigmoid()

pool@5(x:X)
return F.interpolate(F.max_pool2d(x, 2), scale_factor=2, mode="nearest")
--
return F.avg_pool2d(x, 3, stride=1, padding=1) + x
--
return F.pixel_shuffle(F.pixel_unshuffle(x, 2), 2)
--
n, c, h, w = x.shape
y = x.view(n, c, h // 2, 2, w // 2, 2).amax((3, 5))
return x - F.interpolate(y, size=(h, w), mode="bilinear", align_corners=False)
--
return x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2).relu()

classify!@5(x:X, w:V,C, b:V)
return F.linear(F.adaptive_avg_pool2d(x, (1, 1)).flatten(1), w, b)
--
return torch.addmm(b, x.mean(dim=(-2, -1)), w.t()).softmax(1)
--
return torch.flatten(F.avg_pool2d(x, x.shape[-1]), 1) @ w.T + b
'''

ROW = re.compile(r"(\w+)(!?)(?:@(\d))?\(([^)]*)\)(.*)")


class Block:
    """A row of the table: arguments with shapes, constants with values, and bodies."""

    def __init__(self, text):
        head, bodies = text.strip().split("\n", 1)
        name, ends, rank, args, consts = ROW.fullmatch(head).groups()
        self.name, self.ends, self.rank = name, bool(ends), int(rank or 0)
        self.args = {}
        for a in args.split(", "):
            parts = a.split(":")
            self.args[parts[0]] = (parts[1], parts[2] if len(parts) > 2 else None)
        self.consts = {k: v.split("|") for k, v in (c.split("=") for c in consts.split())}
        self.ways = [b.strip().split("\n") for b in bodies.split("\n--\n")]

    def fits(self, rank):
        """rank: 2 and 3 of hidden states, 4 of heads, 5 for images."""
        return self.rank == rank or self.rank == 0 and rank < 5


BLOCKS = [Block(t) for t in f"{TEXT.strip()}\n\n{layers.TEXT.strip()}".split("\n\n")]
