"""More blocks, in the form of blocks.py: layers of torch.nn, and parts of models that are rarer.

A way that begins with `@m = nn.Layer(…)` holds a layer of torch.nn: a model's way only, because a search function takes its weights.
Reason for length: one table.
"""

TEXT = '''
sequential(x:X)
@m = nn.Sequential(nn.Linear($H, $I), nn.GELU(), nn.Dropout(0.1), nn.Linear($I, $H))
return m(x)
--
@m = nn.Sequential(nn.LayerNorm($H), nn.Linear($H, $H, bias=False), nn.SiLU())
return x + m(x)
--
@m = nn.Sequential(nn.RMSNorm($H, eps=1e-6), nn.Linear($H, $H))
return m(x)
--
@m = nn.PReLU()
return m(x)
--
@m = nn.Sequential(nn.Hardswish(), nn.Softsign(), nn.ELU(0.5))
return m(x)

encoder@3(x:X)
@m = nn.MultiheadAttention($H, 2, batch_first=True)
y, _ = m(x, x, x, need_weights=False)
return y
--
@m = nn.MultiheadAttention($H, 2, bias=False, batch_first=True)
y, w = m(x, x, x)
return y + w.mean()
--
@m = nn.TransformerEncoderLayer($H, 2, $I, dropout=0.0, batch_first=True, norm_first=True)
return m(x)
--
@m = nn.TransformerEncoderLayer($H, 2, $I, activation="gelu", batch_first=True)
return m(x)
--
@m = nn.Conv1d($H, $H, 3, padding=1)
return m(x.transpose(1, 2)).transpose(1, 2)

cells@2(x:X)
@m = nn.GRUCell($H, $H)
return m(x, torch.tanh(x))
--
@m = nn.LSTMCell($H, $H)
h, c = m(x, (x, torch.zeros_like(x)))
return h + c
--
@m = nn.BatchNorm1d($H)
return m(x)
--
@m = nn.Bilinear($H, $H, $H)
return m(x, x)

vision@5(x:X)
@m = nn.Sequential(nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.ReLU(inplace=True))
return m(x)
--
@m = nn.Sequential(nn.GroupNorm(2, 4), nn.SiLU(), nn.Conv2d(4, 4, 1))
return x + m(x)
--
@m = nn.Sequential(nn.Conv2d(4, 8, 2, stride=2), nn.GELU(), nn.ConvTranspose2d(8, 4, 2, stride=2))
return m(x)
--
@m = nn.Sequential(nn.ReflectionPad2d(1), nn.Conv2d(4, 4, 3), nn.InstanceNorm2d(4), nn.LeakyReLU(0.2))
return m(x)
--
@m = nn.Upsample(scale_factor=2, mode="bilinear")
return F.avg_pool2d(m(x), 2)

gqa@4(x:X, k:B,1,S,H, v:B,1,S,H) sc=0.25|0.5
k = k.expand(-1, 2, -1, -1)
v = v.expand(-1, 2, -1, -1)
return F.scaled_dot_product_attention(x, k, v, is_causal=True)
--
k, v = k.repeat_interleave(2, dim=1), v.repeat_interleave(2, dim=1)
s = torch.matmul(x, k.transpose(2, 3)) * $sc
n = s.shape[-1]
causal = torch.full((n, n), torch.finfo(s.dtype).min, dtype=s.dtype).triu(1)
return torch.matmul(torch.softmax(s + causal, dim=-1, dtype=torch.float32).to(x.dtype), v)
--
return F.scaled_dot_product_attention(x, k, v, enable_gqa=True)
--
kk = k[:, :, None, :, :].expand(k.shape[0], 1, 2, k.shape[2], k.shape[3]).reshape(x.shape)
s = torch.einsum("bhqd,bhkd->bhqk", x, kk).mul($sc)
i = torch.arange(s.shape[-1])
s = s.where(i[None, :] <= i[:, None], torch.tensor(float("-inf"), dtype=s.dtype))
return s.softmax(-1) @ v.expand_as(x)

biased@4(x:X, k:X, v:X, m:S,S) sc=0.25|0.125
return F.scaled_dot_product_attention(x, k, v, attn_mask=m)
--
s = torch.matmul(x, k.transpose(-2, -1)) * $sc + m
return torch.softmax(s, -1) @ v
--
s = torch.baddbmm(m.expand(x.shape[0] * x.shape[1], -1, -1), x.flatten(0, 1), k.flatten(0, 1).transpose(1, 2), beta=1.0, alpha=$sc)
return torch.bmm(F.softmax(s, dim=-1), v.flatten(0, 1)).view(x.shape)
--
return F.scaled_dot_product_attention(x, k, v, attn_mask=(m > 0.2))

linear_attention@4(x:X, k:X, v:X)
q, k = F.elu(x) + 1, F.elu(k) + 1
kv = torch.einsum("bhsd,bhse->bhde", k, v)
z = 1 / (torch.einsum("bhsd,bhd->bhs", q, k.sum(dim=2)) + 1e-6)
return torch.einsum("bhsd,bhde,bhs->bhse", q, kv, z)
--
q, k = torch.softmax(x, -1), torch.softmax(k, -2)
return q @ (k.transpose(-2, -1) @ v)
--
q, k = torch.relu(x), torch.relu(k)
state = torch.cumsum(k * v, dim=2)
return q * state / (torch.cumsum(k, 2) + 1e-3)

causal_conv@3(x:X, w:H,1,3, b:H)
y = F.conv1d(x.transpose(1, 2), w, b, padding=2, groups=$H)[..., : x.shape[1]]
return F.silu(y).transpose(1, 2)
--
p = F.pad(x.mT, (2, 0))
return F.silu(F.conv1d(p, w, b, groups=$H)).mT
--
p = F.pad(x, (0, 0, 2, 0))
y = sum(p[:, i : i + x.shape[1]] * w[:, 0, i] for i in range(3))
return torch.sigmoid(y + b) * (y + b)
--
p = F.pad(x.transpose(1, 2), (2, 0)).unfold(-1, 3, 1)
return ((p * w).sum(-1) + b[:, None]).transpose(1, 2)

scan@3(x:X, a:H) dt=0.1|0.5
g = torch.exp(-F.softplus(a) * $dt)
h = torch.zeros_like(x[:, 0])
out = []
for t in range(x.shape[1]): h = g * h + x[:, t]; out.append(h)
return torch.stack(out, dim=1)
--
d = torch.cumsum(-F.softplus(a) * torch.ones_like(x) * $dt, dim=1)
return torch.exp(d) * torch.cumsum(x * torch.exp(-d), dim=1)
--
return torch.cumprod(torch.sigmoid(a + x), dim=1) * x

int4(x:X, q:H,D:i8, s:H:f32)
lo, hi = q & 15, (q >> 4) & 15
w = torch.stack((lo, hi), dim=-1).flatten(-2).to(x.dtype) - 8
return F.linear(x, w * s.to(x.dtype)[:, None])
--
w = torch.cat([torch.bitwise_and(q, 15), torch.bitwise_right_shift(q, 4)], dim=1)
return x @ ((w.float() - 8.0) * s.unsqueeze(1)).to(x.dtype).t()
--
w = torch.stack([q % 16, torch.div(q, 16, rounding_mode="floor")], -1).view(q.shape[0], -1)
return torch.matmul(x, (w.to(torch.float32) * s.view(-1, 1)).T.to(x.dtype))

channel_quant!(x:X, s:H:f32)
return torch.fake_quantize_per_channel_affine(x.float(), s, torch.zeros($H, dtype=torch.int32), x.dim() - 1, -128, 127)
--
q = torch.clamp(torch.round(x / s), -128, 127)
return q.to(torch.int8), (q * s).to(x.dtype)
--
scale = torch.maximum(x.abs().amax(0, keepdim=True), torch.tensor(1e-5)) / 127
return torch.round(x / scale).char(), scale
--
q, e = torch.frexp(x.float())
return (q * 256).to(torch.int16), e

penalty!@2(x:X, w:V,H, seen:T:idsV)
logits = F.linear(x, w)
score = logits.gather(1, seen[:, None])
score = torch.where(score < 0, score * 1.2, score / 1.2)
return logits.scatter(1, seen[:, None], score)
--
logits = x @ w.t()
mask = F.one_hot(seen, $V).bool()
return torch.where(mask, logits / 1.2, logits).log_softmax(-1)
--
logits = F.linear(x, w).clone()
logits[torch.arange(seen.shape[0]), seen] -= 1.0
return logits.max(-1).values, logits.argmax(dim=-1, keepdim=True)
--
logits = torch.index_fill(F.linear(x, w), 1, torch.tensor([0, 3]), -1e4)
return logits.softmax(-1).take_along_dim(seen[:, None], 1)

losses!(x:X, y:X)
return F.mse_loss(x, y)
--
return F.smooth_l1_loss(x, y, beta=0.5), F.l1_loss(x, y, reduction="none")
--
return F.kl_div(F.log_softmax(x, -1), F.softmax(y, -1), reduction="batchmean")
--
return F.binary_cross_entropy_with_logits(x, torch.sigmoid(y))
--
return F.huber_loss(x, y, reduction="sum")
--
return 1 - F.cosine_similarity(x, y, dim=-1)
--
d = (x - y).float()
return torch.sqrt(torch.mean(d * d)), d.abs().max()

route@2(x:X, w:4,H) k=2|1
logits = F.linear(x.float(), w.float())
p, ids = torch.topk(torch.softmax(logits, dim=-1), $k, dim=-1)
order = torch.argsort(ids.flatten(), stable=True)
rows = x[order // $k]
out = torch.zeros_like(x).index_add(0, order // $k, rows * p.flatten()[order].unsqueeze(-1).to(x.dtype))
return out
--
g = torch.softmax(x @ w.t(), -1)
top = torch.topk(g.view(-1, 2, 2).amax(-1), 1, dim=-1).indices
m = torch.zeros_like(g.view(-1, 2, 2)[..., 0]).scatter_(1, top, 1.0)
m = m.unsqueeze(-1).expand(-1, 2, 2).reshape(g.shape)
return x * (g * m).sum(-1, keepdim=True)
--
s = torch.sigmoid(F.linear(x, w))
v, i = s.max(dim=-1)
return x * v.unsqueeze(1) + F.one_hot(i, 4).to(x.dtype).sum(-1, keepdim=True)

layout(x:X)
return x.movedim(0, -1).contiguous().movedim(-1, 0) + x.transpose(0, 1).transpose(0, 1)
--
return x.tile((2,) + (1,) * (x.dim() - 1))[: x.shape[0]].clone()
--
return torch.stack((x, x * 2), 0).amax(0)
--
return torch.repeat_interleave(x, 2, dim=-1)[..., ::2]
--
return torch.einsum("...h->h...", x).permute(*range(1, x.dim()), 0)
--
a, b, c = x[..., :2], x[..., 2:4], x[..., 4:]
return torch.hstack([c.flatten(0, -2), b.flatten(0, -2), a.flatten(0, -2)]).view_as(x)
--
y = torch.empty_like(x)
y[..., ::2] = x[..., 1::2]
y[..., 1::2] = -x[..., ::2]
return y
--
return x.reshape(*x.shape[:-1], 2, -1).swapaxes(-1, -2).reshape(x.shape)

statistics(x:X)
return (x - x.mean()) / x.std()
--
s, m = torch.std_mean(x, dim=-1, keepdim=True)
return (x - m) / (s + 1e-5)
--
return x - torch.logsumexp(x, dim=-1, keepdim=True)
--
return x / x.abs().sum(-1, keepdim=True).clamp_min(1e-6)
--
lo, hi = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
return (x - lo) / (hi - lo + 1e-5)
--
return torch.nan_to_num(torch.log1p(x) * torch.expm1(-x).abs())
--
return x * torch.softmax(x.sum(-1), dim=-1).unsqueeze(-1)
--
return x.clamp(torch.quantile(x.float(), 0.1).to(x.dtype), torch.quantile(x.float(), 0.9).to(x.dtype))
--
return torch.where(x > x.median(), x, torch.full_like(x, 0.5))

images@5(x:X, w:C,C,3,3)
return F.conv2d(F.pad(x, (1, 1, 1, 1), mode="reflect"), w)
--
return F.conv2d(F.pad(x, (1, 1, 1, 1), mode="replicate"), w, stride=1)
--
c = F.unfold(x, 3, padding=1)
return (w.view(4, -1) @ c).view(x.shape)
--
return F.conv_transpose2d(x, w, padding=1)
--
return F.conv2d(x.to(memory_format=torch.channels_last), w, padding=1)
--
return F.interpolate(F.conv2d(x, w, stride=2, padding=1), size=x.shape[-2:], mode="bicubic")
--
return F.conv2d(x, w, padding=2, dilation=2) + F.max_pool2d(x, 3, 1, 1)
--
theta = torch.eye(2, 3).expand(x.shape[0], -1, -1)
return F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False).to(x.dtype), align_corners=False)

patches!@5(x:X, w:8,C,2,2, b:8)
return F.conv2d(x, w, b, stride=2).flatten(2).transpose(1, 2)
--
p = x.unfold(2, 2, 2).unfold(3, 2, 2).permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)
return F.linear(p, w.flatten(1), b)
--
n, c, h, ww = x.shape
p = x.reshape(n, c, h // 2, 2, ww // 2, 2).permute(0, 2, 4, 1, 3, 5).reshape(n, -1, c * 4)
return torch.baddbmm(b.expand(n, 1, -1), p, w.view(8, -1).t().expand(n, -1, -1))

bag!@2(x:X, ids:T:idsV, table:V,H)
return F.embedding_bag(ids.view(1, -1), table, mode="sum"), x.sum(0)
--
return F.embedding(ids, table).mean(0) + x.mean(0)
--
return torch.cdist(x.float(), table.float()), torch.outer(x[0], x[0])
--
return torch.addmv(x.new_zeros($V), table, x[0]), torch.bucketize(x[0], torch.linspace(0, 1, 5, dtype=x.dtype))
--
return torch.diag_embed(x), torch.tril(x @ x.t()), x @ table[ids].t()
'''
