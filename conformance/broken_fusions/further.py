"""Further broken fusions, written after the fixes: kinds that the other files do not have."""
from fusions import case

HANDLER = "from torch._inductor.pattern_matcher import Arg, CallFunction, Ignored, KeywordArg, register_graph_pattern\n"

case("token-quant-floor", ["inserted-node"], {"x": "(16, 32), BF16", "w": "(32,), BF16"}, """
    f = x.float()
    n = (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(BF16) * w
    s = torch.clamp(n.abs().amax(-1, keepdim=True).float() / 448.0, min=1e-10)
    return (n.float() / s).to(FP8), s
""", """
def search(x, w):
    f = x.float()
    n = (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * w
    s = n.abs().amax(-1, keepdim=True).float() / 448.0
    return (n.float() / s).to(FP8), s

def replace(x, w):
    n = F.rms_norm(x.float(), (x.shape[-1],), None, 1e-6).to(x.dtype) * w
    s = n.abs().amax(-1, keepdim=True).float() / 448.0
    return torch.div(n.float(), s).to(FP8), s

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16, dtype=BF16)], fwd_only, patterns)
""", False, "RMSNorm + token quant: the model keeps its scale above zero")

case("swiglu-int8-float", ["inserted-node", "example-inputs"], {"x": "(16, 64), BF16", "s": "(1,)"}, """
    g, u = x.chunk(2, -1)
    h = (F.silu(g) * u).float()
    return ((h / s).round().clamp(-128.0, 127.0).to(I8),)
""", """
def search(x, s):
    g, u = x.chunk(2, -1)
    h = F.silu(g) * u
    return (h / s).round().clamp(-128.0, 127.0).to(I8)

def replace(x, s):
    d = x.shape[-1] // 2
    h = F.silu(x[..., :d]) * x[..., d:]
    return torch.round(h / s).clamp(-128.0, 127.0).to(I8)

register_replacement(search, replace, [e(4, 16), e(1)], fwd_only, patterns)
""", False, "SwiGLU + int8: bfloat16 model that quantizes in float32")

case("mx-block", ["constant", "retrace-error"], {"x": "(16, 64)"}, """
    b = x.view(16, 4, 16)
    s = torch.exp2(torch.floor(torch.log2(b.abs().amax(-1, keepdim=True))) - 8.0)
    return (b / s).view(16, 64).to(FP8), s
""", """
def search(x):
    b = x.view(8, 2, 32)
    s = torch.exp2(torch.floor(torch.log2(b.abs().amax(-1, keepdim=True))) - 8.0)
    return (b / s).view(8, 64).to(FP8), s

def replace(x):
    b = x.unflatten(-1, (2, 32))
    s = torch.pow(2.0, torch.floor(torch.log2(b.abs().amax(-1, keepdim=True))) - 8.0)
    return (b / s).flatten(-2).to(FP8), s

register_replacement(search, replace, [e(8, 64)], fwd_only, patterns)
""", False, "MX quant: blocks of 16 in the model, of 32 in the pattern")

case("rope-cast", ["inserted-node", "example-inputs"], {"x": "(2, 4, 8, 16), BF16", "c": "(8, 16)", "s": "(8, 16)"}, """
    r = torch.cat((-x[..., 8:], x[..., :8]), dim=-1)
    return (x * c.to(BF16) + r * s.to(BF16),)
""", """
def search(x, c, s):
    d = x.shape[-1] // 2
    r = torch.cat((-x[..., d:], x[..., :d]), dim=-1)
    return (x * c + r * s).to(x.dtype)

def replace(x, c, s):
    a, b = x.chunk(2, dim=-1)
    return (x * c + torch.cat([b.neg(), a], -1) * s).to(x.dtype)

register_replacement(search, replace, [e(1, 2, 4, 8, dtype=BF16), e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "rope: the model casts cos and sin, the pattern the sum")

case("attention-quant-divide", ["wrong-operator"], {"q": "(4, 8, 16)", "k": "(4, 8, 16)", "v": "(4, 8, 16)", "s": "(1,)"}, """
    p = torch.softmax(torch.bmm(q, k.transpose(1, 2)) * 0.25, -1)
    o = torch.bmm(p, v)
    return ((o / s).clamp(-448.0, 448.0).to(FP8),)
""", """
def search(q, k, v, s):
    p = torch.softmax(torch.bmm(q, k.transpose(1, 2)) * 0.25, -1)
    o = torch.bmm(p, v)
    return (o * s.reciprocal()).clamp(-448.0, 448.0).to(FP8)

def replace(q, k, v, s):
    h = torch.bmm(q * 0.25, k.transpose(1, 2))
    o = torch.bmm(torch.softmax(h, -1), v)
    return torch.clamp(o * s.reciprocal(), -448.0, 448.0).to(FP8)

register_replacement(search, replace, [e(2, 4, 8), e(2, 4, 8), e(2, 4, 8), e(1)], fwd_only, patterns)
""", False, "attention + quant: the model divides by the scale")

case("gelu-tanh-cube", ["wrong-operator", "inserted-node", "missing-node"], {"x": "(16, 32)"}, """
    u = 0.7978845608028654 * (x + 0.044715 * torch.pow(x, 3))
    return (torch.relu(0.5 * x * (1.0 + torch.tanh(u))),)
""", """
def search(x):
    return F.gelu(x, approximate="tanh")

def replace(x):
    return x * torch.sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "gelu: written out with pow in the model")

case("layer-norm-float", ["inserted-node", "missing-node", "wrong-operator", "example-inputs"], {"x": "(16, 32)", "w": "(32,)", "b": "(32,)"}, """
    m = x.mean(-1, keepdim=True)
    c = x - m
    v = (c * c).mean(-1, keepdim=True)
    return (c * torch.rsqrt(v + 1e-5) * w + b,)
""", """
def search(x, w, b):
    m = x.mean(-1, keepdim=True)
    v = (x - m).pow(2).mean(-1, keepdim=True)
    return (x - m) * torch.rsqrt(v + 1e-5) * w + b

def replace(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b, 1e-5)

register_replacement(search, replace, [e(4, 8), e(8), e(8)], fwd_only, patterns)
""", False, "LayerNorm: the model computes the centered value once, and squares by a product")

case("gemm-bias-cast", ["inserted-node", "example-inputs"], {"x": "(16, 32), BF16", "w": "(32, 24), BF16", "b": "(24,)"}, """
    return (torch.relu((torch.mm(x, w).float() + b).to(BF16)),)
""", """
def search(x, w, b):
    return torch.relu(torch.mm(x, w).float() + b)

def replace(x, w, b):
    return torch.clamp(b + torch.mm(x, w).float(), min=0.0)

register_replacement(search, replace, [e(4, 8, dtype=BF16), e(8, 6, dtype=BF16), e(6)], fwd_only, patterns)
""", False, "gemm + bias + relu: the model casts down before relu")

case("view-before-quant", ["inserted-node"], {"x": "(4, 8, 32)", "s": "(1,)"}, """
    h = torch.relu(x).view(32, 32)
    return (torch.clamp(h / s, -448.0, 448.0).to(FP8),)
""", """
def search(x, s):
    return torch.clamp(torch.relu(x) / s, -448.0, 448.0).to(FP8)

def replace(x, s):
    return torch.clip(torch.clamp(x, min=0.0) / s, -448.0, 448.0).to(FP8)

register_replacement(search, replace, [e(2, 4, 8), e(1)], fwd_only, patterns)
""", False, "relu + quant: the model flattens the tokens in between")

case("norm-two-users", ["escaping-intermediate"], {"x": "(16, 32)", "w": "(32,)", "g": "(32, 8)", "u": "(32, 24)"}, """
    n = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w
    return torch.relu(torch.mm(n, u)), torch.mm(n, g)
""", """
def search(x, w, u):
    n = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w
    return torch.relu(torch.mm(n, u))

def replace(x, w, u):
    n = F.rms_norm(x, (x.shape[-1],), w, 1e-6)
    return torch.clamp(torch.mm(n, u), min=0.0)

register_replacement(search, replace, [e(4, 8), e(8), e(8, 6)], fwd_only, patterns)
""", False, "RMSNorm + gemm: the router reads the normalized value too")

case("attention-contiguous", ["inserted-node"], {"p": "(2, 4, 8, 8)", "v": "(2, 4, 8, 16)", "w": "(64, 32)"}, """
    o = torch.matmul(p, v).transpose(1, 2).contiguous().view(16, 64)
    return (torch.mm(o, w),)
""", """
def search(p, v, w):
    o = torch.matmul(p, v).transpose(1, 2)
    return torch.mm(o.view(16, 64), w)

def replace(p, v, w):
    o = torch.einsum("bhqk,bhkd->bqhd", p, v).reshape(16, 64)
    return torch.matmul(o, w)

register_replacement(search, replace, [e(2, 1, 8, 8), e(2, 1, 8, 64), e(64, 8)], fwd_only, patterns)
""", False, "attention + projection: heads joined by a copy")

case("scores-baddbmm", ["wrong-operator", "decomposed", "missing-node"], {"q": "(4, 8, 16)", "k": "(4, 16, 8)", "m": "(4, 8, 8)"}, """
    return (torch.softmax(torch.baddbmm(m, q, k), -1),)
""", """
def search(q, k, m):
    return torch.softmax(torch.bmm(q, k) + m, -1)

def replace(q, k, m):
    s = torch.bmm(q, k) + m
    t = torch.exp(s - s.amax(-1, keepdim=True))
    return t * t.sum(-1, keepdim=True).reciprocal()

register_replacement(search, replace, [e(2, 4, 8), e(2, 8, 4), e(2, 4, 4)], fwd_only, patterns)
""", False, "scores: baddbmm in the model")

case("scale-tensor", ["constant"], {"x": "(16, 32)", "w": "(32, 24)", "s": "(1,)"}, """
    return (torch.tanh(torch.mm(x, w) * s),)
""", """
def search(x, w):
    return torch.tanh(torch.mm(x, w) * 0.125)

def replace(x, w):
    return torch.tanh(torch.mm(x, w) / 8.0)

register_replacement(search, replace, [e(4, 8), e(8, 6)], fwd_only, patterns)
""", False, "scaled product: a tensor scales in the model")

case("vllm-norm-epsilon", ["constant"], {"x": "(16, 32), BF16", "w": "(32,), BF16", "s": "(1,)"}, """
    n = torch.empty([16, 32], dtype=BF16)
    n = auto_functionalized(C.rms_norm.default, result=n, input=x, weight=w, epsilon=1e-5)[1]
    q = torch.empty([16, 32], dtype=FP8)
    return (auto_functionalized(C.static_scaled_fp8_quant.default, result=q, input=n, scale=s)[1],)
""", """
class NormQuant:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def register(self, patterns):
        def search(result, buffer, x, w, scale):
            n = auto_functionalized(C.rms_norm.default, result=buffer, input=x, weight=w, epsilon=self.epsilon)[1]
            return auto_functionalized(C.static_scaled_fp8_quant.default, result=result, input=n, scale=scale)[1]

        def replace(result, buffer, x, w, scale):
            return auto_functionalized(C.rms_norm_static_fp8_quant.default, result=result, input=x, weight=w, scale=scale, epsilon=self.epsilon)[1]

        examples = [e(5, 4, dtype=FP8), e(5, 4, dtype=BF16), e(5, 4, dtype=BF16), e(4, dtype=BF16), e(1)]
        register_replacement(search, replace, examples, fwd_only, patterns)

NormQuant(1e-6).register(patterns)
""", False, "vLLM RMSNorm + quant: a class with its epsilon")

case("vllm-silu-view", ["inserted-node"], {"x": "(16, 64), BF16", "s": "(1,)"}, """
    h = torch.empty([16, 32], dtype=BF16)
    h = auto_functionalized(C.silu_and_mul.default, result=h, input=x)[1]
    q = torch.empty([8, 64], dtype=FP8)
    return (auto_functionalized(C.static_scaled_fp8_quant.default, result=q, input=h.view(8, 64), scale=s)[1],)
""", """
def search(result, h, x, scale):
    h = auto_functionalized(C.silu_and_mul.default, result=h, input=x)[1]
    return auto_functionalized(C.static_scaled_fp8_quant.default, result=result, input=h, scale=scale)[1]

def replace(result, h, x, scale):
    return auto_functionalized(C.silu_and_mul_quant.default, result=result, input=x, scale=scale)[1]

register_replacement(search, replace, [e(5, 4, dtype=FP8), e(5, 4, dtype=BF16), e(5, 8, dtype=BF16), e(1)], fwd_only, patterns)
""", False, "vLLM silu_and_mul + quant: a view between the operators")

case("weight-dequant-order", ["wrong-operator", "inserted-node", "missing-node", "operand-order"], {"x": "(16, 32), BF16", "w": "(32, 24), I8", "s": "(24,), BF16"}, """
    return (torch.mm(x, w.to(BF16) * s),)
""", """
def search(x, w, s):
    return torch.mm(x, s * w.to(x.dtype))

def replace(x, w, s):
    return torch.matmul(x, torch.mul(w, s))

register_replacement(search, replace, [e(4, 8, dtype=BF16), e(8, 6, dtype=I8), e(6, dtype=BF16)], fwd_only, patterns)
""", False, "weight-only quant: the scale last in the model")

case("mean-unsqueeze", ["arity", "inserted-node", "wrong-operator", "constant"], {"x": "(16, 32)", "w": "(32,)"}, """
    v = x.pow(2).mean(-1).unsqueeze(-1)
    return (x * torch.rsqrt(v + 1e-6) * w,)
""", """
def search(x, w):
    v = x.pow(2).mean(-1, keepdim=True)
    return x * torch.rsqrt(v + 1e-6) * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

register_replacement(search, replace, [e(5, 16), e(16)], fwd_only, patterns)
""", False, "RMSNorm: unsqueeze in place of keepdim")

case("gpt-oss-up", ["wrong-operator", "missing-node", "inserted-node", "operand-order"], {"g": "(16, 32)", "u": "(16, 32)"}, """
    return (g * torch.sigmoid(g * 1.702) * (u + 1.0),)
""", """
def search(g, u):
    return g * torch.sigmoid(g * 1.702) * torch.relu(u)

def replace(g, u):
    return torch.clamp(u, min=0.0) * (g * torch.sigmoid(1.702 * g))

register_replacement(search, replace, [e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "clamped SwiGLU: u + 1 in the model, relu in the pattern")

case("softmax-dtype", ["inserted-node", "example-inputs"], {"s": "(4, 8, 8), BF16", "m": "(8, 8), BF16"}, """
    return (torch.softmax(s + m, -1, dtype=F32),)
""", """
def search(s, m):
    return torch.softmax(s + m, -1)

def replace(s, m):
    h = s + m
    t = torch.exp(h - h.amax(-1, keepdim=True))
    return t / t.sum(-1, keepdim=True)

register_replacement(search, replace, [e(2, 4, 4), e(4, 4)], fwd_only, patterns)
""", False, "softmax: dtype=float32 in the model")

case("gemma-weight", ["inserted-node"], {"x": "(16, 32), BF16", "w": "(32,), BF16"}, """
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return ((n * (1.0 + w.float())).to(BF16),)
""", """
def search(x, w):
    f = x.float()
    n = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)
    return (n * w.float()).to(x.dtype)

def replace(x, w):
    return F.rms_norm(x.float(), (x.shape[-1],), w.float(), 1e-6).to(x.dtype)

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16, dtype=BF16)], fwd_only, patterns)
""", False, "Gemma RMSNorm: one plus the weight")

case("relu-squared", ["wrong-operator"], {"x": "(16, 32)", "w": "(32, 24)"}, """
    h = torch.relu(torch.mm(x, w))
    return (torch.pow(h, 2) * 0.5,)
""", """
def search(x, w):
    h = torch.relu(torch.mm(x, w))
    return h * h * 0.5

def replace(x, w):
    return torch.clamp(torch.matmul(x, w), min=0.0).square() / 2.0

register_replacement(search, replace, [e(4, 8), e(8, 6)], fwd_only, patterns)
""", False, "squared relu: pow in the model")

case("handler-scale", ["constant"], {"x": "(16, 32)"}, """
    return (x * torch.sigmoid(x * 1.5),)
""", HANDLER + """
QUICK = 1.702

@register_graph_pattern(CallFunction(aten.mul.Tensor, KeywordArg("x"), CallFunction(aten.sigmoid.default, CallFunction(aten.mul.Tensor, KeywordArg("x"), QUICK))), pass_dict=patterns)
def quick_gelu(match, x):
    match.replace_by_example(lambda x: x / (1.0 + torch.exp(-QUICK * x)), [x])
""", False, "handler: a constant by name")

case("handler-view", ["inserted-node"], {"x": "(4, 8, 32)"}, """
    return (torch.relu(torch.tanh(x).view(32, 32)),)
""", HANDLER + """
@register_graph_pattern(CallFunction(aten.relu.default, CallFunction(aten.tanh.default, KeywordArg("x"))), pass_dict=patterns)
def relu_tanh(match, x):
    match.replace_by_example(lambda x: torch.tanh(torch.clamp(x, min=0.0)), [x])
""", False, "handler: a view between the operators")
