"""Broken fusions as engineers write them, each with the change that prevents it from firing.

A case: `model` (its body; the tensors are the parameters of `args`), `pattern` (ends with registrations into `patterns`),
`causes` (kinds that name the change; the first reported cause is one of them). `quick`: in `npm test`. `dynamic`: symbolic
dimensions by argument. `reshapes`: the graph holds aten.reshape where the model calls view, as Inductor's post-grad graphs do.
"""

HEAD = """import torch
import torch.nn.functional as F
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
C = torch.ops._C
BF16, F16, F32, FP8, I8 = torch.bfloat16, torch.float16, torch.float32, torch.float8_e4m3fn, torch.int8
patterns = PatternMatcherPass(pass_name="fusion")


def e(*shape, dtype=F32):
    return torch.empty(*shape, dtype=dtype)

"""

CASES = []


def case(id, causes, args, model, pattern, quick=False, title="", dynamic=None, reshapes=False):
    CASES.append({
        "id": id, "title": title, "causes": causes, "args": args, "model": model, "pattern": pattern, "quick": quick,
        "dynamic": dynamic or {}, "reshapes": reshapes,
    })


X32 = {"x": "(16, 32)"}
NORM = {"x": "(16, 32), BF16", "w": "(32,), BF16"}

case("rms-eps", ["constant"], NORM, """
    f = x.float()
    v = f.pow(2).mean(-1, keepdim=True)
    return (torch.relu((f * torch.rsqrt(v + 1e-5)).to(BF16) * w),)
""", """
EPS = 1e-6

def search(x, w):
    f = x.float()
    v = f.pow(2).mean(-1, keepdim=True)
    return (f * torch.rsqrt(v + EPS)).to(x.dtype) * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, EPS)

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16, dtype=BF16)], fwd_only, patterns)
""", True, "RMSNorm: epsilon by name in both functions")

case("rms-eps-literal", ["constant"], NORM, """
    f = x.float()
    return ((f * torch.rsqrt(f.square().mean(-1, True) + 1e-5)).to(BF16) * w,)
""", """
EPS = 1e-6

def search(x, w):
    f = x.float()
    return (f * torch.rsqrt(f.square().mean(-1, True) + 1e-6)).to(x.dtype) * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, EPS)

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16, dtype=BF16)], fwd_only, patterns)
""", True, "RMSNorm: epsilon written out in search, by name in the replacement")

case("rms-operands", ["operand-order"], NORM, """
    f = x.float()
    n = (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(BF16)
    return (w * n,)
""", """
def search(x, w):
    f = x.float()
    n = (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)
    return n * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16, dtype=BF16)], fwd_only, patterns)
""", False, "RMSNorm: weight first in the model")

case("rms-examples", ["example-inputs"], NORM, """
    f = x.float()
    n = (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(BF16)
    return (torch.tanh(n * w),)
""", """
def search(x, w):
    f = x.to(F32)
    n = (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)
    return n * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

register_replacement(search, replace, [e(5, 16), e(16)], fwd_only, patterns)
""", False, "RMSNorm: float32 examples for a bfloat16 model")

case("rms-square", ["wrong-operator"], NORM, """
    f = x.float()
    return ((f * torch.rsqrt((f * f).mean(-1, keepdim=True) + 1e-6)).to(BF16) * w,)
""", """
def search(x, w):
    f = x.float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16, dtype=BF16)], fwd_only, patterns)
""", False, "RMSNorm: x * x in the model, pow in the pattern")

case("rms-cast-last", ["operand-order", "inserted-node", "missing-node", "structure", "constant"], {"x": "(16, 32), BF16", "w": "(32,)"}, """
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return (n * w,)
""", """
def search(x, w):
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return (n * w).to(BF16)

def replace(x, w):
    f = x.float()
    return (F.rms_norm(f, (x.shape[-1],), w, 1e-6)).to(BF16)

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16)], fwd_only, patterns)
""", True, "RMSNorm: the model keeps float32, the pattern casts down")

case("add-rms-residual", ["escaping-intermediate"], {"x": "(16, 32)", "r": "(16, 32)", "w": "(32,)"}, """
    h = x + r
    n = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6) * w
    return (torch.relu(n), h * 2)
""", """
def search(x, r, w):
    h = x + r
    return h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6) * w

def replace(x, r, w):
    return F.rms_norm(x + r, (w.shape[0],), w, 1e-6)

register_replacement(search, replace, [e(5, 16), e(5, 16), e(16)], fwd_only, patterns)
""", True, "add + RMSNorm: the residual is used again")

case("add-rms-unused", ["output-unused"], {"x": "(16, 32)", "r": "(16, 32)", "w": "(32,)"}, """
    h = x + r
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6) * w,)
""", """
def search(x, r, w):
    h = x + r
    s = h.pow(2).mean(-1, keepdim=True) + 1e-6
    return h * torch.rsqrt(s) * w, h, torch.sqrt(s)

def replace(x, r, w):
    h = x + r
    return F.rms_norm(h, (w.shape[0],), w, 1e-6), h, torch.sqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6)

register_replacement(search, replace, [e(5, 16), e(5, 16), e(16)], fwd_only, patterns)
""", False, "add + RMSNorm: an output of the pattern that the model lacks")

case("rms-quant-scale", ["wrong-operator"], {"x": "(16, 32)", "w": "(32,)", "s": "(1,)"}, """
    n = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w
    return ((n * s.reciprocal()).clamp(-448.0, 448.0).to(FP8),)
""", """
def search(x, w, s):
    n = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w
    return (n / s).clamp(-448.0, 448.0).to(FP8)

def replace(x, w, s):
    n = F.rms_norm(x, (w.shape[0],), w, 1e-6)
    return (n / s).clamp(-448.0, 448.0).to(FP8)

register_replacement(search, replace, [e(5, 16), e(16), e(1)], fwd_only, patterns)
""", False, "RMSNorm + quant: a reciprocal in the model, a division in the pattern")

case("quant-max", ["constant"], {"x": "(16, 32)", "s": "(1,)"}, """
    return ((x / s).clamp(-240.0, 240.0).to(FP8),)
""", """
FP8_MAX = 448.0

def search(x, s):
    return (x / s).clamp(-FP8_MAX, FP8_MAX).to(FP8)

def replace(x, s):
    return torch.clamp(x * (1.0 / s), min=-FP8_MAX, max=FP8_MAX).to(FP8)

register_replacement(search, replace, [e(4, 8), e(1)], fwd_only, patterns)
""", True, "static quant: the fnuz maximum in the model")

case("quant-dtype", ["constant", "example-inputs"], {"x": "(16, 32)", "s": "(1,)"}, """
    return ((x / s).round().clamp(-128.0, 127.0).to(I8),)
""", """
def search(x, s):
    return (x / s).round().clamp(-128.0, 127.0).to(torch.uint8)

def replace(x, s):
    return (x * s.reciprocal()).round().clamp(-128.0, 127.0).to(torch.uint8)

register_replacement(search, replace, [e(4, 8), e(1)], fwd_only, patterns)
""", False, "int8 quant: another integer type in both functions")

case("silu-mul-swap", ["operand-order"], {"x": "(16, 64)"}, """
    g, u = x.chunk(2, -1)
    return (u * F.silu(g),)
""", """
def search(x):
    d = x.shape[-1] // 2
    return F.silu(x[..., :d]) * x[..., d:]

def replace(x):
    g, u = x.chunk(2, dim=-1)
    return F.silu(g) * u

register_replacement(search, replace, [e(4, 16)], fwd_only, patterns)
""", False, "silu + mul: chunk and another order of the product")

case("silu-mul-halves", ["constant"], {"x": "(16, 64)"}, """
    return (F.silu(x[..., 32:]) * x[..., :32],)
""", """
def search(x):
    d = x.shape[-1] // 2
    return F.silu(x[..., :d]) * x[..., d:]

def replace(x):
    d = x.shape[-1] // 2
    return torch.ops.aten.mul.Tensor(F.silu(x[..., :d]), x[..., d:])

register_replacement(search, replace, [e(4, 16)], fwd_only, patterns)
""", True, "silu + mul: the model gates the second half")

case("silu-mul-clamp", ["inserted-node"], {"x": "(16, 64)"}, """
    g = x[..., :32].clamp(max=7.0)
    return (F.silu(g) * x[..., 32:],)
""", """
def search(x):
    d = x.shape[-1] // 2
    return F.silu(x[..., :d]) * x[..., d:]

def replace(x):
    d = x.shape[-1] // 2
    return x[..., d:] * F.silu(x[..., :d])

register_replacement(search, replace, [e(4, 16)], fwd_only, patterns)
""", True, "silu + mul: a limit on the gate in the model")

case("silu-mul-fp8-shared", ["escaping-intermediate"], {"x": "(16, 64)", "s": "(1,)"}, """
    h = F.silu(x[..., :32]) * x[..., 32:]
    return ((h / s).to(FP8), h.abs().amax(-1))
""", """
def search(x, s):
    d = x.shape[-1] // 2
    h = F.silu(x[..., :d]) * x[..., d:]
    return (h / s).to(FP8)

def replace(x, s):
    g, u = x.chunk(2, dim=-1)
    return ((F.silu(g) * u) / s).to(FP8)

register_replacement(search, replace, [e(4, 16), e(1)], fwd_only, patterns)
""", False, "silu + mul + quant: the product has a second use")

case("gelu-tanh-coef", ["constant"], X32, """
    return (0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))),)
""", """
def search(x):
    return 0.5 * x * (1.0 + torch.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))

def replace(x):
    return F.gelu(x, approximate="tanh")

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "tanh gelu: a constant with fewer digits")

case("bias-relu-method", ["root-absent", "wrong-operator"], {"x": "(16, 32)", "b": "(32,)"}, """
    return ((x + b).clamp(min=0),)
""", """
def search(x, b):
    return torch.relu(x + b)

def replace(x, b):
    return torch.where(x + b > 0, x + b, 0.0)

register_replacement(search, replace, [e(4, 8), e(8)], fwd_only, patterns)
""", False, "bias + relu: clamp_min in the model")

case("bias-relu-squared", ["inserted-node", "root-absent"], {"x": "(16, 32)", "b": "(32,)"}, """
    return (torch.sigmoid((x + b) * 2.0),)
""", """
def search(x, b):
    return torch.sigmoid(x + b)

def replace(x, b):
    return 1.0 / (1.0 + torch.exp(-(x + b)))

register_replacement(search, replace, [e(4, 8), e(8)], fwd_only, patterns)
""", True, "bias + sigmoid: a scale between the two")

case("scale-twice", ["missing-node"], {"q": "(16, 32)", "k": "(32, 16)"}, """
    return (torch.softmax(q @ k, -1),)
""", """
def search(q, k):
    return torch.softmax((q @ k) * 0.5, -1)

def replace(q, k):
    s = torch.mm(q, k) * 0.5
    p = torch.exp(s - s.amax(-1, keepdim=True))
    return p / p.sum(-1, keepdim=True)

register_replacement(search, replace, [e(4, 8), e(8, 4)], fwd_only, patterns)
""", True, "scores: the pattern scales, the model does not")

case("attention-scale-div", ["wrong-operator"], {"q": "(2, 4, 8, 16)", "k": "(2, 4, 8, 16)", "v": "(2, 4, 8, 16)"}, """
    s = (q @ k.transpose(-1, -2)) / 4.0
    return (torch.softmax(s, -1) @ v,)
""", """
def search(q, k, v):
    s = (q @ k.transpose(-1, -2)) * 0.25
    return torch.softmax(s, -1) @ v

def replace(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, scale=0.25)

register_replacement(search, replace, [e(2, 4, 8, 16) for _ in range(3)], fwd_only, patterns)
""", False, "attention: a division in the model, a product in the pattern")

case("attention-mask", ["inserted-node"], {"q": "(2, 4, 8, 16)", "k": "(2, 4, 8, 16)", "m": "(8, 8)"}, """
    s = (q @ k.transpose(-1, -2)) * 0.25 + m
    return (torch.softmax(s, -1),)
""", """
def search(q, k):
    return torch.softmax((q @ k.transpose(-1, -2)) * 0.25, -1)

def replace(q, k):
    s = torch.matmul(q * 0.25, k.transpose(-1, -2))
    return torch.softmax(s, -1)

register_replacement(search, replace, [e(2, 4, 8, 16), e(2, 4, 8, 16)], fwd_only, patterns)
""", False, "attention: a mask is added in the model")

case("attention-scale-constant", ["constant"], {"q": "(2, 4, 8, 16)", "k": "(2, 4, 8, 16)", "v": "(2, 4, 8, 16)"}, """
    return (torch.softmax((q @ k.transpose(-1, -2)) * 0.25, -1) @ v,)
""", """
SCALE = 0.125

def search(q, k, v):
    return torch.softmax((q @ k.transpose(-1, -2)) * SCALE, -1) @ v

def replace(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, scale=SCALE)

register_replacement(search, replace, [e(2, 4, 8, 16) for _ in range(3)], fwd_only, patterns)
""", True, "attention: the scale of another head size")

case("masked-fill-value", ["constant"], {"s": "(4, 8, 8)"}, """
    mask = torch.ones(8, 8, dtype=torch.bool).tril().logical_not()
    return (torch.softmax(s.masked_fill(mask, -1e9), -1),)
""", """
def search(s, mask):
    return torch.softmax(s.masked_fill(mask, -10000.0), -1)

def replace(s, mask):
    return torch.softmax(torch.where(mask, -10000.0, s), -1)

register_replacement(search, replace, [e(2, 4, 4), torch.empty(4, 4, dtype=torch.bool)], fwd_only, patterns)
""", False, "masked softmax: another fill value")

case("masked-where", ["wrong-operator", "operand-order", "arity"], {"s": "(4, 8, 8)", "b": "(8, 8)"}, """
    return (torch.where(b > 0, s, -1e4).softmax(-1),)
""", """
def search(s, b):
    return torch.where(b <= 0, -1e4, s).softmax(-1)

def replace(s, b):
    return s.masked_fill(b <= 0, -1e4).softmax(-1)

register_replacement(search, replace, [e(2, 4, 4), e(4, 4)], fwd_only, patterns)
""", False, "masked softmax: where with its branches the other way")

case("rope-half-order", ["operand-order"], {"x": "(2, 4, 8, 16)", "c": "(8, 16)", "s": "(8, 16)"}, """
    r = torch.cat([-x[..., 8:], x[..., :8]], -1)
    return (r * s + x * c,)
""", """
def search(x, c, s):
    d = x.shape[-1] // 2
    r = torch.cat((-x[..., d:], x[..., :d]), dim=-1)
    return x * c + r * s

def replace(x, c, s):
    a, b = x.chunk(2, dim=-1)
    return x * c + torch.cat([b.neg(), a], -1) * s

register_replacement(search, replace, [e(1, 2, 4, 8), e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "rope: the sum in the other order")

case("rope-slices", ["constant", "missing-node", "inserted-node", "wrong-operator"], {"x": "(2, 4, 8, 16)", "c": "(8, 16)", "s": "(8, 16)"}, """
    r = torch.cat([-x[..., 8:], x[..., :8]], -1)
    return (x * c + r * s,)
""", """
def search(x, c, s):
    r = torch.cat((-x[..., 4:], x[..., :4]), dim=-1)
    return x * c + r * s

def replace(x, c, s):
    a, b = x.chunk(2, dim=-1)
    return x * c + torch.cat([b.neg(), a], -1) * s

register_replacement(search, replace, [e(1, 2, 4, 8), e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "rope: the half of a smaller head written out")

case("layer-norm-factors", ["operand-order"], {"x": "(16, 32)", "w": "(32,)", "b": "(32,)"}, """
    m = x.mean(-1, keepdim=True)
    v = (x - m).pow(2).mean(-1, keepdim=True)
    return ((x - m) * torch.rsqrt(v + 1e-5) * w + b, )
""", """
def search(x, w, b):
    m = x.mean(-1, keepdim=True)
    v = (x - m).pow(2).mean(-1, keepdim=True)
    return torch.rsqrt(v + 1e-5) * (x - m) * w + b

def replace(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b, 1e-5)

register_replacement(search, replace, [e(4, 8), e(8), e(8)], fwd_only, patterns)
""", False, "LayerNorm written out, with two factors swapped")

case("linear-bias-view", ["constant", "retrace-error", "wrong-operator"], {"x": "(3, 2, 16)", "w": "(16, 16)"}, """
    return (torch.relu(torch.mm(x.view(6, 16), w).view(3, 2, 16)),)
""", """
def search(x, w):
    return torch.relu(torch.mm(x.view(4, 16), w).view(2, 2, 16))

def replace(x, w):
    return torch.relu(torch.matmul(x, w))

register_replacement(search, replace, [e(2, 2, 16), e(16, 16)], fwd_only, patterns)
""", True, "linear: sizes of the example written out")

case("expand-sizes", ["constant", "retrace-error"], {"x": "(2, 1, 8)", "y": "(2, 6, 8)"}, """
    return (x.expand(2, 6, 8) * y,)
""", """
def search(x, y):
    return x.expand(2, 4, 8) * y

def replace(x, y):
    return y * x

register_replacement(search, replace, [e(2, 1, 8), e(2, 4, 8)], fwd_only, patterns)
""", False, "broadcast: sizes of the example written out")

case("keepdim", ["inserted-node", "arity", "constant"], {"x": "(16, 32)"}, """
    return (x / x.abs().amax(-1).unsqueeze(-1),)
""", """
def search(x):
    return x / x.abs().amax(-1, keepdim=True)

def replace(x):
    return x * x.abs().amax(-1, keepdim=True).reciprocal()

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "dynamic scale: unsqueeze in place of keepdim")

case("unused-argument", ["unused-argument"], {"x": "(16, 32)", "w": "(32,)"}, """
    return (torch.tanh(x * w),)
""", """
def search(x, w, bias):
    return torch.tanh(x * w)

def replace(x, w, bias):
    h = x * w
    return 2.0 * torch.sigmoid(2.0 * h) - 1.0

register_replacement(search, replace, [e(4, 8), e(8), e(8)], fwd_only, patterns)
""", False, "an argument that nothing uses")

case("same-argument", ["repeated-argument"], {"x": "(16, 32)", "y": "(16, 32)"}, """
    return (torch.relu(x) * torch.sigmoid(y),)
""", """
def search(x):
    return torch.relu(x) * torch.sigmoid(x)

def replace(x):
    return torch.sigmoid(x) * torch.relu(x)

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", True, "one argument where the model has two: the replacement has to use the second")

case("allreduce-rms", ["inserted-node"], {"x": "(16, 32), BF16", "w": "(32,), BF16"}, """
    h = torch.ops.vllm.all_reduce.default(x, "tp:0")
    f = (h * 1.0).float()
    return ((f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(BF16) * w,)
""", """
def search(x, w):
    f = torch.ops.vllm.all_reduce.default(x, "tp:0").float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(BF16) * w

def replace(x, w):
    h = torch.ops.vllm.all_reduce.default(x, "tp:0")
    return F.rms_norm(h, (h.shape[-1],), w, 1e-6)

register_replacement(search, replace, [e(4, 8, dtype=BF16), e(8, dtype=BF16)], fwd_only, patterns)
""", False, "all-reduce + RMSNorm: a scale behind the collective")

case("rms-static-quant-eps", ["constant"], {"x": "(16, 32), BF16", "w": "(32,), BF16", "s": "(1,)"}, """
    at = auto_functionalized(C.rms_norm.default, result=torch.empty_like(x), input=x, weight=w, epsilon=1e-5)
    q = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty_like(x, dtype=FP8), input=at[1], scale=s)
    return (q[1],)
""", """
EPS = 1e-6

def search(result, result_rms, input, weight, scale):
    at1 = auto_functionalized(C.rms_norm.default, result=result_rms, input=input, weight=weight, epsilon=EPS)
    at2 = auto_functionalized(C.static_scaled_fp8_quant.default, result=result, input=at1[1], scale=scale)
    return at2[1]

def replace(result, result_rms, input, weight, scale):
    at = auto_functionalized(C.rms_norm_static_fp8_quant.default, result=result, input=input, weight=weight, scale=scale, epsilon=EPS)
    return at[1]

register_replacement(search, replace, [e(5, 16, dtype=FP8), e(5, 16, dtype=BF16), e(5, 16, dtype=BF16), e(16, dtype=BF16), e(1)], fwd_only, patterns)
""", True, "vLLM RMSNorm + static quant: epsilon by name")

case("rms-static-quant-order", ["kwarg-order"], {"x": "(16, 32), BF16", "w": "(32,), BF16", "s": "(1,)"}, """
    at = auto_functionalized(C.rms_norm.default, result=torch.empty_like(x), input=x, weight=w, epsilon=1e-6)
    q = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty_like(x, dtype=FP8), input=at[1], scale=s)
    return (q[1],)
""", """
def search(result, result_rms, input, weight, scale):
    at1 = auto_functionalized(C.rms_norm.default, result=result_rms, weight=weight, input=input, epsilon=1e-6)
    at2 = auto_functionalized(C.static_scaled_fp8_quant.default, result=result, input=at1[1], scale=scale)
    return at2[1]

def replace(result, result_rms, input, weight, scale):
    at = auto_functionalized(C.rms_norm_static_fp8_quant.default, result=result, input=input, weight=weight, scale=scale, epsilon=1e-6)
    return at[1]

register_replacement(search, replace, [e(5, 16, dtype=FP8), e(5, 16, dtype=BF16), e(5, 16, dtype=BF16), e(16, dtype=BF16), e(1)], fwd_only, patterns)
""", True, "vLLM RMSNorm + static quant: keyword arguments swapped")

case("add-rms-item", ["getitem-index"], {"x": "(16, 32), BF16", "r": "(16, 32), BF16", "w": "(32,), BF16", "s": "(1,)"}, """
    at = auto_functionalized(C.fused_add_rms_norm.default, input=x, residual=r, weight=w, epsilon=1e-6)
    q = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty_like(x, dtype=FP8), input=at[1], scale=s)
    return (q[1], at[2])
""", """
def search(result, input, residual, weight, scale):
    at1 = auto_functionalized(C.fused_add_rms_norm.default, input=input, residual=residual, weight=weight, epsilon=1e-6)
    at2 = auto_functionalized(C.static_scaled_fp8_quant.default, result=result, input=at1[2], scale=scale)
    return at2[1], at1[1]

def replace(result, input, residual, weight, scale):
    at = auto_functionalized(C.fused_add_rms_norm_static_fp8_quant.default, result=result, input=input, residual=residual, weight=weight, scale=scale, epsilon=1e-6)
    return at[1], at[2]

register_replacement(search, replace, [e(5, 16, dtype=FP8), e(5, 16, dtype=BF16), e(5, 16, dtype=BF16), e(16, dtype=BF16), e(1)], fwd_only, patterns)
""", True, "vLLM add + RMSNorm + quant: the outputs swapped")
