"""Broken fusions of attention, rotary embeddings and expert routing. A case is as in fusions.py."""
from fusions import case

QK = {"q": "(2, 4, 8, 16)", "k": "(2, 4, 8, 16)", "m": "(8, 8)"}
ROPE = {"x": "(2, 4, 8, 16)", "c": "(8, 16)", "s": "(8, 16)"}

case("mask-filled", ["wrong-operator"], QK | {"m": "(8, 8), torch.bool"}, """
    s = (q @ k.transpose(-1, -2)) * 0.25
    return (torch.softmax(s.masked_fill(m, -1e4), -1),)
""", """
def search(q, k, m):
    s = (q @ k.transpose(-1, -2)) * 0.25
    return torch.softmax(s + m, -1)

def replace(q, k, m):
    return torch.softmax(torch.matmul(q * 0.25, k.transpose(-1, -2)) + m, -1)

register_replacement(search, replace, [e(1, 2, 4, 8), e(1, 2, 4, 8), e(4, 4)], fwd_only, patterns)
""", False, "attention: masked_fill in the model, an added mask in the pattern")

case("mask-first", ["operand-order"], QK, """
    s = (q @ k.transpose(-1, -2)) * 0.25
    return (torch.softmax(m + s, -1),)
""", """
def search(q, k, m):
    s = (q @ k.transpose(-1, -2)) * 0.25
    return torch.softmax(s + m, -1)

def replace(q, k, m):
    return torch.softmax(torch.add(m, torch.matmul(q, k.transpose(-1, -2)) * 0.25), -1)

register_replacement(search, replace, [e(1, 2, 4, 8), e(1, 2, 4, 8), e(4, 4)], fwd_only, patterns)
""", False, "attention: the mask is the first operand in the model")

case("scale-on-query", ["missing-node", "inserted-node", "operand-order", "wrong-operator"], QK, """
    return (torch.softmax((q * 0.25) @ k.transpose(-1, -2) + m, -1),)
""", """
def search(q, k, m):
    s = (q @ k.transpose(-1, -2)) * 0.25
    return torch.softmax(s + m, -1)

def replace(q, k, m):
    return torch.softmax(torch.matmul(q * 0.25, k.transpose(-1, -2)) + m, -1)

register_replacement(search, replace, [e(1, 2, 4, 8), e(1, 2, 4, 8), e(4, 4)], fwd_only, patterns)
""", False, "attention: the model scales the query, the pattern the scores")

case("softmax-float32", ["inserted-node"], {"s": "(4, 8, 8), BF16", "v": "(4, 8, 16), BF16"}, """
    p = torch.softmax(s.float() * 0.5, -1).to(BF16)
    return (torch.bmm(p, v),)
""", """
def search(s, v):
    p = torch.softmax(s.float() * 0.5, -1)
    return torch.bmm(p, v)

def replace(s, v):
    h = s.float() * 0.5
    p = torch.exp(h - torch.logsumexp(h, -1, keepdim=True))
    return torch.bmm(p, v)

register_replacement(search, replace, [e(2, 4, 4, dtype=BF16), e(2, 4, 8)], fwd_only, patterns)
""", False, "attention: the model casts the probabilities down")

case("softmax-probabilities", ["escaping-intermediate"], {"s": "(4, 8, 8)", "v": "(4, 8, 16)"}, """
    p = torch.softmax(s, -1)
    return (torch.bmm(p, v), p)
""", """
def search(s, v):
    return torch.bmm(torch.softmax(s, -1), v)

def replace(s, v):
    p = torch.exp(s - s.amax(-1, keepdim=True))
    return torch.bmm(p / p.sum(-1, keepdim=True), v)

register_replacement(search, replace, [e(2, 4, 4), e(2, 4, 8)], fwd_only, patterns)
""", True, "attention: the model returns its probabilities")

case("heads-merge", ["example-inputs", "inserted-node"], {"x": "(2, 4, 8, 16)", "w": "(64, 32)"}, """
    h = x.transpose(1, 2).contiguous().view(16, 64)
    return (torch.mm(h, w),)
""", """
def search(x, w):
    h = x.transpose(1, 2).reshape(-1, w.shape[0])
    return torch.mm(h, w)

def replace(x, w):
    h = torch.permute(x, (0, 2, 1, 3)).flatten(2).flatten(0, 1)
    return torch.matmul(h, w)

register_replacement(search, replace, [e(2, 1, 8, 16), e(16, 32)], fwd_only, patterns)
""", False, "attention output: one head in the examples, so that reshape copies nothing")

case("heads-reshape", ["wrong-operator"], {"x": "(2, 8, 64)", "w": "(64, 32)"}, """
    return (torch.relu(torch.mm(x.reshape(16, 64), w)),)
""", """
def search(x, w):
    return torch.relu(torch.mm(x.view(16, 64), w))

def replace(x, w):
    return torch.clamp(torch.matmul(x, w), min=0.0).view(16, 32)

register_replacement(search, replace, [e(2, 8, 64), e(64, 32)], fwd_only, patterns)
""", True, "projection: reshape in the post-grad graph, view in the traced pattern", reshapes=True)

case("rope-interleaved", ["wrong-operator", "inserted-node", "missing-node"], ROPE, """
    r = torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)
    return (x * c + r * s,)
""", """
def search(x, c, s):
    d = x.shape[-1] // 2
    r = torch.cat((-x[..., d:], x[..., :d]), dim=-1)
    return x * c + r * s

def replace(x, c, s):
    a, b = x.chunk(2, dim=-1)
    return x * c + torch.cat([b.neg(), a], -1) * s

register_replacement(search, replace, [e(1, 2, 4, 8), e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "rope: interleaved pairs in the model, halves in the pattern")

case("rope-unsqueeze", ["missing-node"], {"x": "(2, 4, 8, 16)", "c": "(2, 1, 8, 16)", "s": "(2, 1, 8, 16)"}, """
    r = torch.cat([-x[..., 8:], x[..., :8]], -1)
    return (x * c + r * s,)
""", """
def search(x, c, s):
    c = c.unsqueeze(1)
    s = s.unsqueeze(1)
    d = x.shape[-1] // 2
    r = torch.cat((-x[..., d:], x[..., :d]), dim=-1)
    return x * c + r * s

def replace(x, c, s):
    a, b = x.chunk(2, dim=-1)
    return x * c.unsqueeze(1) + torch.cat([b.neg(), a], -1) * s.unsqueeze(1)

register_replacement(search, replace, [e(1, 2, 4, 8), e(1, 4, 8), e(1, 4, 8)], fwd_only, patterns)
""", False, "rope: the model's cos and sin have a head dimension already")

case("rope-sign", ["operand-order", "wrong-operator", "missing-node", "inserted-node"], ROPE, """
    r = torch.cat([x[..., 8:], -x[..., :8]], -1)
    return (x * c - r * s,)
""", """
def search(x, c, s):
    d = x.shape[-1] // 2
    r = torch.cat((-x[..., d:], x[..., :d]), dim=-1)
    return x * c + r * s

def replace(x, c, s):
    a, b = x.chunk(2, dim=-1)
    return torch.addcmul(x * c, torch.cat([b.neg(), a], -1), s)

register_replacement(search, replace, [e(1, 2, 4, 8), e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "rope: the model negates the other half and subtracts")

case("gate-indices", ["escaping-intermediate"], {"x": "(16, 8)"}, """
    p = torch.softmax(x, -1)
    w, i = torch.topk(p, 2, -1)
    return (w / w.sum(-1, keepdim=True), i)
""", """
def search(x):
    w, _ = torch.topk(torch.softmax(x, -1), 2, -1)
    return w / w.sum(-1, keepdim=True)

def replace(x):
    v, _ = torch.topk(x, 2, -1)
    return torch.softmax(v, -1)

register_replacement(search, replace, [e(4, 6)], fwd_only, patterns)
""", True, "expert gate: the pattern drops the indices")

case("gate-top-k", ["constant"], {"x": "(16, 8)"}, """
    w, i = torch.topk(torch.softmax(x, -1), 4, -1)
    return (w / w.sum(-1, keepdim=True), i)
""", """
TOP = 2

def search(x):
    w, i = torch.topk(torch.softmax(x, -1), TOP, -1)
    return w / w.sum(-1, keepdim=True), i

def replace(x):
    v, i = torch.topk(x, TOP, -1)
    return torch.softmax(v, -1), i

register_replacement(search, replace, [e(4, 6)], fwd_only, patterns)
""", False, "expert gate: another number of experts")

case("gate-not-normalized", ["missing-node", "root-absent"], {"x": "(16, 8)"}, """
    w, i = torch.topk(torch.sigmoid(x), 2, -1)
    return (w * 2.5, i)
""", """
def search(x):
    w, i = torch.topk(torch.sigmoid(x), 2, -1)
    return w / w.sum(-1, keepdim=True) * 2.5, i

def replace(x):
    w, i = torch.topk(x, 2, -1)
    w = torch.sigmoid(w)
    return w / w.sum(-1, keepdim=True) * 2.5, i

register_replacement(search, replace, [e(4, 6)], fwd_only, patterns)
""", False, "expert gate: the model does not normalize the weights")

case("gate-bias", ["inserted-node"], {"x": "(16, 8)", "b": "(8,)"}, """
    w, i = torch.topk(torch.sigmoid(x) + b, 2, -1)
    return (w * 2.5, i)
""", """
def search(x):
    w, i = torch.topk(torch.sigmoid(x), 2, -1)
    return w * 2.5, i

def replace(x):
    w, i = torch.topk(x, 2, -1)
    return torch.sigmoid(w) * 2.5, i

register_replacement(search, replace, [e(4, 6)], fwd_only, patterns)
""", False, "expert gate: the model adds a correction bias")

case("gate-softmax", ["wrong-operator", "missing-node", "inserted-node", "root-absent"], {"x": "(16, 8)"}, """
    w, i = torch.topk(torch.softmax(x, -1), 2, -1)
    return (w * 2.5, i)
""", """
def search(x):
    w, i = torch.topk(torch.sigmoid(x), 2, -1)
    return w * 2.5, i

def replace(x):
    w, i = torch.topk(x, 2, -1)
    return torch.sigmoid(w) * 2.5, i

register_replacement(search, replace, [e(4, 6)], fwd_only, patterns)
""", False, "expert gate: softmax in the model, sigmoid in the pattern")

case("gate-sorted", ["arity", "constant", "kwarg-extra"], {"x": "(16, 8)"}, """
    w, i = torch.topk(torch.sigmoid(x), 2, -1, True, False)
    return (w * 2.5, i)
""", """
def search(x):
    w, i = torch.topk(torch.sigmoid(x), 2, -1)
    return w * 2.5, i

def replace(x):
    w, i = torch.topk(x, 2, -1)
    return torch.sigmoid(w) * 2.5, i

register_replacement(search, replace, [e(4, 6)], fwd_only, patterns)
""", False, "expert gate: sorted=False in the model")
