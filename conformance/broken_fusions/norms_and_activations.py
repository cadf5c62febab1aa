"""Broken fusions of norms, activations and linear layers. A case is as in fusions.py."""
from fusions import NORM, X32, case

REGISTER_NORM = "register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16, dtype=BF16)], fwd_only, patterns)\n"

case("rms-weight-before-cast", ["inserted-node", "missing-node", "operand-order"], NORM, """
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return ((n * w.float()).to(BF16),)
""", """
def search(x, w):
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return n.to(BF16) * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

""" + REGISTER_NORM, False, "RMSNorm: the model multiplies in float32 and casts last")

case("rms-weight-cast", ["missing-node", "example-inputs"], NORM, """
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return (n.to(BF16) * w,)
""", """
def search(x, w):
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return n.to(BF16) * w.to(BF16)

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w.to(BF16), 1e-6)

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16)], fwd_only, patterns)
""", False, "RMSNorm: the pattern casts a weight that is bfloat16 already")

case("rms-inverse-root", ["wrong-operator"], NORM, """
    f = x.float()
    n = f * (1.0 / torch.sqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6))
    return (n.to(BF16) * w,)
""", """
EPS = 1e-6

def search(x, w):
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + EPS)
    return n.to(BF16) * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, EPS)

""" + REGISTER_NORM, False, "RMSNorm: 1 / sqrt in the model, rsqrt in the pattern")

case("rms-power", ["wrong-operator"], NORM, """
    f = x.float()
    n = f * torch.pow(f.pow(2).mean(-1, keepdim=True) + 1e-6, -0.5)
    return (n.to(BF16) * w,)
""", """
def search(x, w):
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return n.to(x.dtype) * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

""" + REGISTER_NORM, False, "RMSNorm: pow(-0.5) in the model")

case("rms-sum", ["wrong-operator", "inserted-node"], {"x": "(16, 32)", "w": "(32,)"}, """
    n = x * torch.rsqrt((x * x).sum(-1, keepdim=True) / 32 + 1e-6)
    return (n * w,)
""", """
def search(x, w):
    n = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)
    return n * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

register_replacement(search, replace, [e(5, 16), e(16)], fwd_only, patterns)
""", False, "RMSNorm: a sum and a division in place of the mean")

case("rms-dim", ["constant"], {"x": "(16, 32)", "w": "(32,)"}, """
    n = x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-6)
    return (torch.relu(n * w),)
""", """
def search(x, w):
    n = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)
    return n * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

register_replacement(search, replace, [e(5, 16), e(16)], fwd_only, patterns)
""", True, "RMSNorm: dimension 1 in the model, -1 in the pattern")

case("gemma-norm", ["inserted-node"], NORM, """
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return ((n * (1.0 + w.float())).to(BF16),)
""", """
def search(x, w):
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return (n * w.float()).to(BF16)

def replace(x, w):
    f = x.float()
    return F.rms_norm(f, (x.shape[-1],), w.float(), 1e-6).to(BF16)

""" + REGISTER_NORM, False, "RMSNorm: the model scales by 1 + w as Gemma does")

case("layer-norm-eps", ["constant"], {"x": "(16, 32)", "w": "(32,)", "b": "(32,)"}, """
    return (F.layer_norm(x, (32,), w, b, 1e-6),)
""", """
def search(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b)

def replace(x, w, b):
    m = x.mean(-1, keepdim=True)
    v = (x - m).square().mean(-1, keepdim=True)
    return (x - m) * torch.rsqrt(v + 1e-5) * w + b

register_replacement(search, replace, [e(4, 8), e(8), e(8)], fwd_only, patterns)
""", False, "LayerNorm: the default epsilon in the pattern")

case("layer-norm-no-bias", ["missing-node", "root-absent", "arity", "wrong-operator"], {"x": "(16, 32)", "w": "(32,)"}, """
    return (torch.relu(F.layer_norm(x, (32,), w, None, 1e-5)),)
""", """
def search(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b, 1e-5)

def replace(x, w, b):
    m = x.mean(-1, keepdim=True)
    v = (x - m).square().mean(-1, keepdim=True)
    return (x - m) * torch.rsqrt(v + 1e-5) * w + b

register_replacement(search, replace, [e(4, 8), e(8), e(8)], fwd_only, patterns)
""", False, "LayerNorm: the model has no bias")

case("residual-first", ["operand-order"], {"x": "(16, 32)", "w": "(32, 32)", "r": "(16, 32)"}, """
    return (torch.relu(r + x @ w),)
""", """
def search(x, w, r):
    return torch.relu(torch.mm(x, w) + r)

def replace(x, w, r):
    return torch.addmm(r, x, w).relu()

register_replacement(search, replace, [e(4, 8), e(8, 8), e(4, 8)], fwd_only, patterns)
""", True, "linear + residual: the residual first in the model")

case("residual-in-place", ["wrong-operator", "wrong-overload", "mutation-barrier"], {"x": "(16, 32)", "w": "(32,)", "r": "(16, 32)"}, """
    h = x * w
    h += r
    return (torch.relu(h),)
""", """
def search(x, w, r):
    return torch.relu(x * w + r)

def replace(x, w, r):
    return torch.clamp(torch.addcmul(r, x, w), min=0.0)

register_replacement(search, replace, [e(4, 8), e(8), e(4, 8)], fwd_only, patterns)
""", False, "residual added in place in the model")

case("linear-weight-layout", ["missing-node"], {"x": "(16, 32)", "w": "(32, 64)"}, """
    return (torch.relu(torch.mm(x, w)),)
""", """
def search(x, w):
    return torch.relu(x @ w.t())

def replace(x, w):
    return torch.clamp(F.linear(x, w), min=0.0)

register_replacement(search, replace, [e(4, 8), e(6, 8)], fwd_only, patterns)
""", False, "linear: the model stores its weight transposed")

case("linear-addmm", ["wrong-operator", "root-absent", "decomposed", "missing-node"], {"x": "(16, 32)", "w": "(32, 64)", "b": "(64,)"}, """
    return (torch.relu(torch.addmm(b, x, w)),)
""", """
def search(x, w, b):
    return torch.relu(x @ w + b)

def replace(x, w, b):
    return torch.clamp(torch.addmm(b, x, w), min=0.0)

register_replacement(search, replace, [e(4, 8), e(8, 6), e(6)], fwd_only, patterns)
""", False, "linear: addmm in the model, mm and add in the pattern")

case("scaled-residual", ["kwarg-extra", "missing-node", "arity"], {"x": "(16, 32)", "r": "(16, 32)"}, """
    return (torch.relu(torch.add(x, r, alpha=2)),)
""", """
def search(x, r):
    return torch.relu(x + 2 * r)

def replace(x, r):
    return torch.clamp(x + r + r, min=0.0)

register_replacement(search, replace, [e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "residual: alpha=2 in the model, a product in the pattern")

case("gelu-approximation", ["wrong-operator", "root-absent", "missing-node", "constant", "kwarg-extra", "arity", "structure", "inserted-node"], {"x": "(16, 32)", "y": "(16, 32)"}, """
    return (F.gelu(x, approximate="tanh") * y,)
""", """
def search(x, y):
    return F.gelu(x) * y

def replace(x, y):
    return 0.5 * x * (1.0 + torch.erf(x * 0.7071067811865476)) * y

register_replacement(search, replace, [e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "GeGLU: the tanh approximation in the model")

case("gelu-float32", ["inserted-node"], {"x": "(16, 32), BF16", "y": "(16, 32), BF16"}, """
    return (torch.sigmoid(x.float()).to(BF16) * y,)
""", """
def search(x, y):
    return torch.sigmoid(x) * y

def replace(x, y):
    return torch.special.expit(x) * y

register_replacement(search, replace, [e(4, 8, dtype=BF16), e(4, 8, dtype=BF16)], fwd_only, patterns)
""", True, "gate: the model computes the activation in float32")

case("quick-gelu", ["inserted-node"], X32, """
    return (torch.tanh(x * torch.sigmoid(1.702 * x)),)
""", """
def search(x):
    return torch.tanh(x * torch.sigmoid(x))

def replace(x):
    return torch.tanh(F.silu(x))

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "activation: quick gelu in the model, silu in the pattern")

case("glu-split", ["wrong-operator", "getitem-index", "missing-node"], {"x": "(16, 64)"}, """
    return (torch.sigmoid(x[..., :32]) * x[..., 32:],)
""", """
def search(x):
    a, b = x.chunk(2, dim=-1)
    return torch.sigmoid(a) * b

def replace(x):
    d = x.shape[-1] // 2
    return x[..., d:] * torch.sigmoid(x[..., :d])

register_replacement(search, replace, [e(4, 16)], fwd_only, patterns)
""", True, "GLU: slices in the model, chunk in the pattern")

case("glu-sections", ["wrong-operator"], {"x": "(16, 64)"}, """
    a, b = torch.split(x, [32, 32], dim=-1)
    return (torch.sigmoid(a) * b,)
""", """
def search(x):
    a, b = x.chunk(2, dim=-1)
    return torch.sigmoid(a) * b

def replace(x):
    a, b = x.chunk(2, dim=-1)
    return b * torch.sigmoid(a)

register_replacement(search, replace, [e(4, 16)], fwd_only, patterns)
""", False, "GLU: split with a list in the model, chunk in the pattern")

case("glu-items", ["getitem-index"], {"x": "(16, 64)"}, """
    a, b = x.split(32, -1)
    return (torch.sigmoid(a) * b,)
""", """
def search(x):
    b, a = x.split(x.shape[-1] // 2, -1)
    return torch.sigmoid(a) * b

def replace(x):
    b, a = x.split(x.shape[-1] // 2, -1)
    return torch.special.expit(a) * b

register_replacement(search, replace, [e(4, 16)], fwd_only, patterns)
""", False, "GLU: the items in the other order")
