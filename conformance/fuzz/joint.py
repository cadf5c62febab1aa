"""Training patterns, each on the joint graph of a model that contains it: joint_fwd_bwd as the trace_fn.

    generate.py joint 0 COUNT        (COUNT: at least as many as there are patterns)

An input whose name begins with a capital letter is a constant of the trace without a gradient.
"""
from . import traced

INPUTS = {
    "x": "torch.empty(4, 8, requires_grad=True)", "y": "torch.empty(4, 8, requires_grad=True)",
    "w": "torch.empty(8, 16, requires_grad=True)", "v": "torch.empty(16, 8, requires_grad=True)",
    "b": "torch.empty(8, requires_grad=True)", "c": "torch.empty(16, requires_grad=True)", "r": "torch.empty(4, 1, requires_grad=True)",
    "s": "torch.empty((), requires_grad=True)", "t": "torch.empty(2, 4, 8, requires_grad=True)", "u": "torch.empty(2, 8, 4, requires_grad=True)",
    "g": "torch.empty(2, 4, 4, requires_grad=True)", "X": "torch.empty(4, 8)", "B": "torch.empty(8)", "M": "torch.empty(4, 8, dtype=torch.bool)",
    "I": "torch.empty(4, 8, dtype=torch.int64)", "h": "torch.empty(4, 8, dtype=torch.bfloat16, requires_grad=True)",
    "k": "torch.empty(8, dtype=torch.bfloat16, requires_grad=True)", "l": "torch.empty(8, 16, dtype=torch.bfloat16, requires_grad=True)",
    "q": "torch.empty(2, 4, 8, 16, requires_grad=True)", "p": "torch.empty(2, 4, 8, 16, requires_grad=True)", "o": "torch.empty(2, 4, 8, 16, requires_grad=True)",
    "e": "torch.empty(2, 8, 4, 16, requires_grad=True)", "f": "torch.empty(2, 8, 4, 16, requires_grad=True)", "d": "torch.empty(2, 8, 4, 16, requires_grad=True)",
    "A": "torch.empty(2, 1, 1, 8)", "Q": "torch.empty(2, 1, 1, 8, dtype=torch.bool)", "S": "torch.tensor(2.0)",
    "z": "torch.empty(10, 8, requires_grad=True)", "J": "torch.empty(4, dtype=torch.int64)",
    "m": "torch.empty(2, 4, 8, 16, dtype=torch.float16, requires_grad=True)", "n": "torch.empty(2, 4, 8, 16, dtype=torch.float16, requires_grad=True)",
    "a": "torch.empty(2, 4, 8, 16, dtype=torch.float16, requires_grad=True)",
}
# name: (inputs, search body, replacement body); lines are separated by ';', the last is the value.
PATTERNS = {
    # products
    "mm-relu": ("x w", "torch.relu(torch.mm(x, w))", "torch.clamp(torch.mm(x, w), min=0)"),
    "mm": ("x w", "x @ w", "torch.mm(x, w)"),
    "mm-input-only": ("x l", "x @ l.float()", "torch.mm(x, l.float())"),
    "linear": ("x v c", "F.linear(x, v, c)", "x @ v.t() + c"),
    "linear-3d": ("t v c", "F.linear(t, v, c)", "t @ v.t() + c"),
    "linear-no-bias": ("t v", "F.linear(t, v)", "t @ v.t()"),
    "addmm": ("c x w", "torch.addmm(c, x, w)", "x @ w + c"),
    "addmm-scaled": ("c x w", "torch.addmm(c, x, w, beta=0.5, alpha=2.0)", "2 * (x @ w) + 0.5 * c"),
    "bmm": ("t u", "torch.bmm(t, u)", "t @ u"),
    "baddbmm": ("g t u", "torch.baddbmm(g, t, u, beta=0.5, alpha=2)", "0.5 * g + 2 * torch.bmm(t, u)"),
    "matmul-4d": ("q p", "q @ p.transpose(-1, -2)", "torch.matmul(q, p.mT)"),
    "matmul-broadcast": ("t w", "torch.matmul(t, w)", "t @ w"),
    "matmul-vector": ("x b", "x @ b", "torch.mv(x, b)"),
    "mv": ("x b", "torch.mv(x, b)", "x @ b"),
    "dot": ("b k", "torch.dot(b, k.float())", "(b * k.float()).sum()"),
    "einsum": ("q p", "torch.einsum('bhqd,bhkd->bhqk', q, p)", "q @ p.mT"),
    "outer": ("b c", "torch.outer(b, c)", "b[:, None] * c"),
    # pointwise
    "add-mul-broadcast": ("x b r", "(x + b) * r", "r * (b + x)"),
    "sub-div": ("x y b", "(x - y) / b", "(x - y) * b.reciprocal()"),
    "add-alpha": ("x y", "torch.add(x, y, alpha=3) - torch.sub(x, y, alpha=2)", "5 * y"),
    "div-scalar": ("x s", "x / s / 3.0", "x / (s * 3.0)"),
    "rsub": ("x", "1 - x", "-(x - 1)"),
    "pow": ("x", "x.pow(2) + x ** 3 + x ** 0.5", "x * x + x * x * x + x.sqrt()"),
    "pow-tensor": ("x y", "torch.pow(x, y)", "torch.exp(y * x.log())"),
    "pow-scalar": ("x", "2.0 ** x", "torch.exp2(x)"),
    "square": ("x", "torch.square(x)", "x * x"),
    "sqrt-rsqrt": ("x", "x.sqrt() + x.rsqrt()", "x.rsqrt() + x.sqrt()"),
    "exp-log": ("x", "x.exp() * x.log() + x.log1p() - x.expm1()", "x.exp()"),
    "exp2-log2": ("x", "x.exp2() * x.log2() + x.log10()", "x.exp()"),
    "sin-cos": ("x", "x.sin() * x.cos() + x.tan() + x.atan() + x.asin()", "x.cos()"),
    "hyperbolic": ("x", "x.sinh() * x.cosh() + x.tanh()", "x.cosh()"),
    "abs-neg": ("x", "-x.abs()", "x.abs().neg()"),
    "reciprocal": ("x", "x.reciprocal()", "1 / x"),
    "erf": ("x", "x.erf()", "2 - x.erfc() - 1"),
    "sigmoid": ("x", "x.sigmoid()", "1 / (1 + (-x).exp())"),
    "tanh": ("x", "torch.tanh(x)", "2 * torch.sigmoid(2 * x) - 1"),
    "silu": ("x", "F.silu(x)", "x * x.sigmoid()"),
    "silu-mul": ("x y", "F.silu(x) * y", "y * F.silu(x)"),
    "silu-mul-bf16": ("h k", "F.silu(h) * k", "k * F.silu(h)"),
    "gelu": ("x", "F.gelu(x)", "0.5 * x * (1 + torch.erf(x * 0.7071067811865476))"),
    "gelu-tanh": ("x", "F.gelu(x, approximate='tanh')", "x * torch.sigmoid(1.702 * x)"),
    "gelu-bf16": ("h", "F.gelu(h)", "F.gelu(h, approximate='tanh')"),
    "gelu-written": ("x", "x * 0.5 * (1.0 + torch.erf(x * 0.7071067811865476))", "F.gelu(x)"),
    "relu": ("x", "F.relu(x) * 2", "x.clamp(min=0) * 2"),
    "leaky-relu": ("x", "F.leaky_relu(x, 0.1)", "torch.where(x > 0, x, 0.1 * x)"),
    "elu": ("x", "F.elu(x)", "torch.where(x > 0, x, x.exp() - 1)"),
    "softplus": ("x", "F.softplus(x)", "(1 + x.exp()).log()"),
    "mish": ("x", "F.mish(x)", "x * F.softplus(x).tanh()"),
    "hardswish": ("x", "F.hardswish(x)", "x * F.relu6(x + 3) / 6"),
    "hardsigmoid": ("x", "F.hardsigmoid(x)", "F.relu6(x + 3) / 6"),
    "logsigmoid": ("x", "F.logsigmoid(x)", "x.sigmoid().log()"),
    "clamp": ("x", "x.clamp(-1, 1)", "x.clamp(min=-1).clamp(max=1)"),
    "clamp-min": ("x", "x.clamp(min=0.5)", "torch.maximum(x, torch.full((), 0.5))"),
    "relu6": ("x", "F.relu6(x)", "x.clamp(0, 6)"),
    "maximum": ("x y", "torch.maximum(x, y) - torch.minimum(x, y)", "(x - y).abs()"),
    "where": ("x y M", "torch.where(M, x, y)", "x * M + y * ~M"),
    "where-scalar": ("x M", "torch.where(M, x, 0.0)", "x * M"),
    "masked-fill": ("x M", "x.masked_fill(M, -1e9)", "torch.where(M, -1e9, x)"),
    "lerp": ("x y", "torch.lerp(x, y, 0.3)", "x + 0.3 * (y - x)"),
    "addcmul": ("x y b", "torch.addcmul(x, y, b, value=0.5)", "x + 0.5 * y * b"),
    "addcdiv": ("x y b", "torch.addcdiv(x, y, b, value=0.5)", "x + 0.5 * y / b"),
    "no-grad-operand": ("x X", "x * X + X", "X + x * X"),
    "detach": ("x y", "x * y.detach()", "y.detach() * x"),
    "same-twice": ("x", "x * x", "x.pow(2)"),
    "branches": ("x y", "a = x * y; a.sin() + a.cos() + a", "x * y"),
    "branches-shared-input": ("x w v", "F.silu(x @ w) * (x @ w.sin())", "(x @ w.sin()) * F.silu(x @ w)"),
    "to-float": ("h", "h.float() * 2", "(h * 2).float()"),
    "to-half": ("x", "x.to(torch.float16).exp()", "x.exp().half()"),
    "promoted": ("h x", "h * x + h", "h * (x + 1)"),
    "two-outputs": ("x y", "a = x + y; (a, a.relu())", "a = y + x; (a, a.relu())"),
    "two-outputs-one-grad": ("x X", "(x * X, X + 1)", "(X * x, 1 + X)"),
    "output-mask": ("x", "(x.relu(), x > 0)", "(x.clamp(min=0), x > 0)"),
    "output-view": ("x y", "(x + y).t()", "x.t() + y.t()"),
    "output-two-views": ("x y", "a = x + y; (a.t(), a.view(2, 16))", "a = y + x; (a.t(), a.view(2, 16))"),
    "output-split": ("x y", "a = x + y; a.chunk(2, -1)", "a = y + x; a.split(4, -1)"),
    # reductions
    "sum": ("x", "x.sum() + x.sum(0) + x.sum(-1, keepdim=True)", "x.sum()"),
    "sum-dim": ("x", "x.sum(-1)", "x.sum(1)"),
    "mean": ("x", "x.mean()", "x.sum() / 32"),
    "mean-dim": ("x", "x.mean(-1)", "x.sum(-1) / 8"),
    "mean-keepdim": ("x", "x - x.mean(-1, keepdim=True)", "x - x.sum(-1, True) / 8"),
    "var": ("x", "x.var(-1, keepdim=True, unbiased=False)", "(x - x.mean(-1, True)).pow(2).mean(-1, True)"),
    "std": ("x", "x.std(-1)", "x.var(-1).sqrt()"),
    "amax": ("x", "x - x.amax(-1, keepdim=True)", "x - x.max(-1, True).values"),
    "max-dim": ("x", "x.max(-1).values", "x.amax(-1)"),
    "norm": ("x", "x / x.norm(dim=-1, keepdim=True)", "F.normalize(x)"),
    "vector-norm": ("x", "torch.linalg.vector_norm(x, dim=-1)", "x.norm(dim=-1)"),
    "normalize": ("x", "F.normalize(x, dim=-1)", "x / x.norm(dim=-1, keepdim=True)"),
    "logsumexp": ("x", "x.logsumexp(-1)", "x.exp().sum(-1).log()"),
    "cumsum": ("x", "x.cumsum(-1)", "x.cumsum(1)"),
    "prod-sum": ("x y", "(x * y).sum(-1)", "(y * x).sum(1)"),
    # normalizations
    "softmax": ("x b", "torch.softmax(x + b, dim=-1)", "torch.softmax(torch.add(b, x), dim=-1)"),
    "softmax-bf16": ("h", "h.softmax(-1)", "h.float().softmax(-1).bfloat16()"),
    "softmax-float": ("h", "h.softmax(-1, dtype=torch.float32)", "h.float().softmax(-1)"),
    "softmax-cast": ("h", "h.float().softmax(-1).to(torch.bfloat16)", "h.softmax(-1)"),
    "log-softmax": ("x", "F.log_softmax(x, -1)", "x - x.logsumexp(-1, True)"),
    "layer-norm": ("x b B", "F.layer_norm(x, (8,), b, B)", "F.layer_norm(x, (8,)) * b + B"),
    "layer-norm-affine": ("x b k", "F.layer_norm(x, (8,), b, k.float())", "F.layer_norm(x, (8,)) * b + k"),
    "layer-norm-plain": ("x", "F.layer_norm(x, (8,))", "(x - x.mean(-1, True)) * torch.rsqrt(x.var(-1, unbiased=False, keepdim=True) + 1e-5)"),
    "layer-norm-bf16": ("h k", "F.layer_norm(h, (8,), k)", "F.layer_norm(h, (8,)) * k"),
    "layer-norm-3d": ("t b", "F.layer_norm(t, (8,), b)", "F.layer_norm(t, (8,)) * b"),
    "layer-norm-written": ("x b", "m = x.mean(-1, keepdim=True); d = x - m; d / torch.sqrt((d * d).mean(-1, keepdim=True) + 1e-5) * b", "F.layer_norm(x, (8,), b)"),
    "rms-norm": ("x b", "F.rms_norm(x, (8,), b, 1e-6)", "x * torch.rsqrt(x.pow(2).mean(-1, True) + 1e-6) * b"),
    "rms-written": ("x b", "x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * b", "F.rms_norm(x, (8,), b, 1e-6)"),
    "rms-written-bf16": ("h k", "f = h.float(); k * (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(torch.bfloat16)", "F.rms_norm(h, (8,), k, 1e-6)"),
    "add-rms": ("x y b", "a = x + y; (a * torch.rsqrt(a.pow(2).mean(-1, keepdim=True) + 1e-6) * b, a)", "a = y + x; (F.rms_norm(a, (8,), b, 1e-6), a)"),
    "group-norm": ("t", "F.group_norm(t, 2)", "F.group_norm(t, 2, eps=1e-5)"),
    "dropout": ("x", "F.dropout(x, 0.3, True)", "x * (torch.rand_like(x) > 0.3) / 0.7"),
    "dropout-eval": ("x", "F.dropout(x.sin(), 0.3, False)", "torch.sin(x)"),
    "dropout-residual": ("x y", "F.dropout(x, 0.1) + y", "y + F.dropout(x, 0.1)"),
    # views
    "view": ("x b", "(x.view(2, 2, 8) * b).reshape(4, 8)", "x * b"),
    "transpose": ("t", "t.transpose(1, 2).contiguous().sin()", "t.permute(0, 2, 1).contiguous().sin()"),
    "permute": ("q", "q.permute(0, 2, 1, 3).reshape(2, 8, 64).exp()", "q.transpose(1, 2).reshape(2, 8, 64).exp()"),
    "t": ("x", "x.t().exp()", "x.exp().t()"),
    "expand": ("b x", "b.expand(4, 8) * x", "b * x"),
    "expand-row": ("r x", "r.expand(4, 8) * x", "r * x"),
    "unsqueeze": ("x", "x.unsqueeze(1).exp().squeeze(1)", "x.exp()"),
    "squeeze": ("r", "r.squeeze(-1).exp().squeeze()", "r.exp()[:, 0]"),
    "flatten": ("t", "t.flatten(1).exp()", "t.reshape(2, 32).exp()"),
    "slice": ("x", "x[:, :4] * x[:, 4:]", "x[:, 4:] * x[:, :4]"),
    "slice-step": ("x", "x[..., ::2] * x[..., 1::2]", "x[..., 1::2] * x[..., ::2]"),
    "select": ("x", "x[0] * x[:, 1].sum()", "x[:, 1].sum() * x[0]"),
    "chunk": ("x", "a, b = x.chunk(2, -1); F.silu(a) * b", "a, b = x.split(4, -1); b * F.silu(a)"),
    "chunk-one": ("x", "x.chunk(2, -1)[0].exp()", "x[:, :4].exp()"),
    "split-sizes": ("x", "a, b, c = x.split([2, 2, 4], -1); a * b + c[:, :2]", "a, b, c = x.split([2, 2, 4], -1); b * a + c[:, :2]"),
    "unbind": ("t", "a, b = t.unbind(0); a * b", "t[0] * t[1]"),
    "cat": ("x y", "torch.cat([x, y], -1)", "torch.cat((x, y), 1)"),
    "cat-mixed": ("x X", "torch.cat([x.exp(), X, x], 0)", "torch.cat((x.exp(), X, x), 0)"),
    "stack": ("x y", "torch.stack([x, y], 1)", "torch.cat((x[:, None], y[:, None]), 1)"),
    "rotate-half": ("x b", "a, c = x.chunk(2, -1); x * b + torch.cat((-c, a), -1) * b", "x * b"),
    "rope-interleaved": ("x b", "a, c = x[..., ::2], x[..., 1::2]; torch.stack((a * b[:4] - c * b[4:], c * b[:4] + a * b[4:]), -1).flatten(-2)", "x * b"),
    "repeat-interleave": ("t", "t[:, :, None].expand(2, 4, 2, 8).reshape(2, 8, 8).exp()", "t.repeat_interleave(2, 1).exp()"),
    "pad": ("x", "F.pad(x, (1, 2)).exp()", "F.pad(x.exp(), (1, 2), value=1.0)"),
    "flip": ("x", "x.flip(-1).exp()", "x.exp().flip(-1)"),
    "roll": ("x", "x.roll(1, -1).exp()", "x.exp().roll(1, -1)"),
    "tril": ("x", "x.tril().exp()", "torch.tril(x).exp()"),
    "clone": ("x", "x.clone().exp()", "x.exp()"),
    "gather": ("x I", "x.gather(1, I)", "torch.gather(x, 1, I)"),
    "index": ("z J", "z[J].exp()", "z.index_select(0, J).exp()"),
    "index-select": ("z J", "z.index_select(0, J)", "z[J]"),
    "embedding": ("z J", "F.embedding(J, z)", "z[J]"),
    "embedding-norm": ("z J b", "F.layer_norm(F.embedding(J, z), (8,), b)", "F.layer_norm(z[J], (8,), b)"),
    # losses
    "mse": ("x X", "F.mse_loss(x, X)", "(x - X).pow(2).mean()"),
    "cross-entropy": ("x J", "F.cross_entropy(x, J)", "F.nll_loss(F.log_softmax(x, -1), J)"),
    "bce": ("x X", "F.binary_cross_entropy_with_logits(x, X)", "F.binary_cross_entropy(x.sigmoid(), X)"),
    "smooth-l1": ("x X", "F.smooth_l1_loss(x, X)", "F.huber_loss(x, X)"),
    # attention, written anew
    "attention": ("q p o S", "torch.matmul(torch.softmax(torch.matmul(q, p.transpose(-2, -1)) / S, -1), o)", "F.scaled_dot_product_attention(q / S, p, o, scale=1.0)"),
    "attention-mul": ("q p o", "((q @ p.mT) * 0.25).softmax(-1) @ o", "F.scaled_dot_product_attention(q, p, o, scale=0.25)"),
    "attention-dropout": ("q p o", "F.dropout((q @ p.mT / 4.0).softmax(-1), 0.113377) @ o", "F.scaled_dot_product_attention(q, p, o, dropout_p=0.113377, scale=0.25)"),
    "attention-mask": ("q p o A", "((q @ p.mT) / 4.0 + A).softmax(-1) @ o", "F.scaled_dot_product_attention(q, p, o, attn_mask=A, scale=0.25)"),
    "attention-mask-dropout": ("q p o A", "F.dropout((q @ p.mT / 4.0 + A).softmax(dim=-1), 0.113377) @ o", "F.scaled_dot_product_attention(q, p, o, attn_mask=A, dropout_p=0.113377, scale=0.25)"),
    "attention-heads-last": ("e f d", "a = e.permute(0, 2, 1, 3); b = f.permute(0, 2, 1, 3); c = d.permute(0, 2, 1, 3); (a @ b.transpose(-2, -1) / 4.0).softmax(-1) @ c", "F.scaled_dot_product_attention(e.transpose(1, 2), f.transpose(1, 2), d.transpose(1, 2), scale=0.25)"),
    "attention-heads-last-upcast": ("e f d", "a = e.permute([0, 2, 1, 3]); b = f.permute([0, 2, 1, 3]); c = d.permute([0, 2, 1, 3]); F.dropout(((a @ b.mT) / 4.0).float().softmax(dim=-1).to(torch.float16), 0.1).float() @ c", "F.scaled_dot_product_attention(e.transpose(1, 2), f.transpose(1, 2), d.transpose(1, 2), dropout_p=0.1, scale=0.25)"),
    "attention-scaled-parts": ("q p o", "(((q * 0.5) @ (p * 0.5).transpose(-2, -1)).softmax(-1)) @ o", "F.scaled_dot_product_attention(q, p, o, scale=0.25)"),
    "attention-baddbmm": ("t y", "s = torch.baddbmm(torch.zeros(2, 4, 4), t, t.transpose(1, 2), beta=0, alpha=0.3); s.softmax(-1) @ y", "((t @ t.mT) * 0.3).softmax(-1) @ y"),
    "attention-where": ("q p o Q", "s = q @ p.mT; torch.where(Q, s / 4.0, torch.full((), float('-inf'))).softmax(-1) @ o", "F.scaled_dot_product_attention(q, p, o, attn_mask=Q, scale=0.25)"),
    "attention-masked-fill": ("q p o Q", "(q @ p.mT / 4.0).masked_fill(Q, -1e4).softmax(-1) @ o", "F.scaled_dot_product_attention(q, p, o, attn_mask=~Q, scale=0.25)"),
    "attention-half": ("m n a", "((m @ n.transpose(-2, -1)) / 4.0).softmax(-1) @ a", "F.scaled_dot_product_attention(m, n, a, scale=0.25)"),
    "attention-half-float": ("m n a", "((m @ n.mT) / 4.0).float().softmax(-1).half() @ a", "F.scaled_dot_product_attention(m, n, a, scale=0.25)"),
    "attention-views": ("e f d", "a, b, c = (i.transpose(1, 2).reshape(8, 8, 16) for i in (e, f, d)); s = torch.bmm(a, b.transpose(1, 2)); torch.bmm(s.view(2, 4, 8, 8).softmax(-1).view(8, 8, 8), c).view(2, 4, 8, 16)", "F.scaled_dot_product_attention(e.transpose(1, 2), f.transpose(1, 2), d.transpose(1, 2), scale=1.0)"),
    "sdpa": ("q p o", "F.scaled_dot_product_attention(q, p, o)", "F.scaled_dot_product_attention(q, p, o, scale=0.25)"),
    "sdpa-causal": ("q p o", "F.scaled_dot_product_attention(q, p, o, is_causal=True)", "F.scaled_dot_product_attention(q, p, o, is_causal=True, scale=0.25)"),
    # blocks
    "mlp": ("x w v", "F.gelu(x @ w) @ v", "F.gelu(x.mm(w)).mm(v)"),
    "gated-mlp": ("x w v c", "F.linear(F.silu(x @ w) * (x @ w), v.t(), None) + c[:8]", "(F.silu(x @ w) * (x @ w)) @ v + c[:8]"),
    "norm-linear": ("x b v", "F.linear(F.layer_norm(x, (8,), b), v)", "F.layer_norm(x, (8,), b) @ v.t()"),
    "lora": ("x w v", "x + (x @ w @ v) * 2.0", "(x @ w @ v) * 2.0 + x"),
    "in-place-relu": ("x w", "F.relu(x @ w, inplace=True)", "(x @ w).relu()"),
    "in-place-add": ("x w c", "a = x @ w; a += c; a", "x @ w + c"),
    "in-place-mul": ("x y", "a = x + y; a.mul_(2); a", "(x + y) * 2"),
    "unused-input-grad": ("x y", "x.sin() + y.detach()", "y.detach() + x.sin()"),
    "swapped": ("x y", "x - y", "-(y - x)"),
    "scalar-argument": ("x SCALE", "x * SCALE + 1", "1 + x * SCALE"),
    # refused
    "no-grad-at-all": ("X B", "X * B", "B * X"),
    "output-input": ("x y", "(x, x * y)", "(x, y * x)"),
    "output-input-view": ("x y", "(x.t(), x * y)", "(x.t(), y * x)"),
    "mutates-input": ("x X", "X.add_(1); x * X", "x * (X + 1)"),
    "no-grad-output": ("x", "x > 0", "x.gt(0)"),
    "arange-row": ("x", "x * torch.arange(8)", "torch.arange(8) * x"),
}
WITHOUT_GRADIENT = ["X * B", "x > 0"]


def _function(name, arguments, body):
    *lines, value = [part.strip() for part in body.split(";")]
    return f"def {name}({', '.join(arguments)}):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {value}\n"


def _model(arguments, body, number):
    """The search function between other operators, or alone for every third pattern."""
    if body in WITHOUT_GRADIENT:
        return "def model(x):\n    return x.sin()\n"
    inner = _function("inner", arguments, body) + "\n\n"
    if number % 3 == 2:
        return inner + f"def model({', '.join(arguments)}):\n    return inner({', '.join(arguments)})\n"
    given = [f"{a} * 1.5" if a.islower() else a for a in arguments]
    tail = ("    first = out[0] if isinstance(out, (tuple, list)) else out\n"
            "    return (first.float().sin(), *out[1:]) if isinstance(out, (tuple, list)) else first.float().sin()\n")
    return inner + f"def model({', '.join(arguments)}):\n    out = inner({', '.join(given)})\n" + tail


def make(rng, case_id):
    """The next pattern's spec; None after the last."""
    number = int(case_id.rsplit("-", 1)[1])
    if number >= 2 * len(PATTERNS):
        return None
    name, (arguments, search, replacement) = list(PATTERNS.items())[number % len(PATTERNS)]
    if number >= len(PATTERNS):  # replaced by itself: the order of the nodes of the joint graph
        name, replacement = f"{name}-itself", search
    arguments = arguments.split()
    tensors = [a for a in arguments if a != "SCALE"]
    examples = ", ".join(INPUTS[a] for a in tensors)
    values = INPUTS["x"] if search in WITHOUT_GRADIENT else ", ".join("0.125" if a == "SCALE" else INPUTS[a] for a in arguments)
    imports = "from torch._inductor.pattern_matcher import PatternMatcherPass, joint_fwd_bwd, register_replacement\n\n\n"
    workaround = ", scalar_workaround={'SCALE': 0.125}" if "SCALE" in arguments else ""
    return {"id": f"joint-{name}", "family": "joint", "where": "joint_fwd_bwd",
            "model_py": traced.HEAD + "\n\n" + _model(arguments, search, number % len(PATTERNS)) + f"\n\ndef example_args():\n    return ({values},)\n",
            "pattern_py": traced.HEAD + imports + _function("pattern", arguments, search) + "\n\n" + _function("replacement", arguments, replacement)
            + f"\n\npatterns = PatternMatcherPass()\nregister_replacement(pattern, replacement, [{examples}], joint_fwd_bwd, patterns{workaround})\n"}
