"""Broken fusions that end in a quantization. A case is as in fusions.py."""
from fusions import NORM, case

XS = {"x": "(16, 32)", "s": "(1,)"}

case("quant-group", ["constant", "retrace-error"], {"x": "(16, 32)"}, """
    g = x.view(16, 4, 8)
    s = g.abs().amax(-1, keepdim=True) / 448.0
    return ((g / s).to(FP8).view(16, 32), s.squeeze(-1))
""", """
GROUP = 16

def search(x):
    g = x.view(x.shape[0], x.shape[1] // GROUP, GROUP)
    s = g.abs().amax(-1, keepdim=True) / 448.0
    return (g / s).to(FP8).view(x.shape), s.squeeze(-1)

def replace(x):
    g = x.unflatten(-1, (x.shape[1] // GROUP, GROUP))
    s = g.abs().amax(-1) / 448.0
    return (g / s.unsqueeze(-1)).to(FP8).view(x.shape), s

register_replacement(search, replace, [e(4, 64)], fwd_only, patterns)
""", False, "group quant: another group size")

case("quant-scale-layout", ["output-unused", "missing-node", "root-absent"], {"x": "(16, 32)"}, """
    s = x.abs().amax(-1, keepdim=True) / 448.0
    return ((x / s).to(FP8), s)
""", """
def search(x):
    s = x.abs().amax(-1, keepdim=True) / 448.0
    return (x / s).to(FP8), s.t()

def replace(x):
    s = x.abs().amax(-1, keepdim=True) * (1.0 / 448.0)
    return (x / s).to(FP8), s.t()

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "token quant: the pattern returns the scale transposed")

case("quant-scale-power", ["inserted-node"], {"x": "(16, 32)"}, """
    s = torch.exp2(torch.ceil(torch.log2(x.abs().amax(-1, keepdim=True) / 448.0)))
    return ((x / s).to(FP8), s)
""", """
def search(x):
    s = x.abs().amax(-1, keepdim=True) / 448.0
    return (x / s).to(FP8), s

def replace(x):
    s = x.abs().max(-1, keepdim=True).values / 448.0
    return (x / s).to(FP8), s

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "token quant: the model rounds its scale to a power of two")

case("quant-round-clamp", ["wrong-operator", "inserted-node", "missing-node", "operand-order"], XS, """
    return ((x / s).clamp(-128.0, 127.0).round().to(I8),)
""", """
def search(x, s):
    return (x / s).round().clamp(-128.0, 127.0).to(I8)

def replace(x, s):
    return torch.clip(torch.round(x / s), -128.0, 127.0).to(I8)

register_replacement(search, replace, [e(4, 8), e(1)], fwd_only, patterns)
""", False, "int8 quant: the model clamps before it rounds")

case("quant-zero-point", ["inserted-node"], {"x": "(16, 32)", "s": "(1,)", "z": "(1,)"}, """
    return (((x / s).round() + z).clamp(-128.0, 127.0).to(I8),)
""", """
def search(x, s):
    return (x / s).round().clamp(-128.0, 127.0).to(I8)

def replace(x, s):
    return torch.clip(torch.round(x / s), -128.0, 127.0).to(I8)

register_replacement(search, replace, [e(4, 8), e(1)], fwd_only, patterns)
""", True, "int8 quant: the model adds a zero point")

case("quant-scale-literal", ["constant"], XS, """
    return (torch.clamp(x / s, -448.0, 448.0).to(FP8),)
""", """
def search(x):
    return torch.clamp(x / 0.5, -448.0, 448.0).to(FP8)

def replace(x):
    return torch.clamp(x * 2.0, -448.0, 448.0).to(FP8)

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "static quant: the scale is a tensor in the model, a number in the pattern")

case("quant-upcast", ["missing-node", "example-inputs"], {"x": "(16, 32)", "s": "(1,)"}, """
    return ((x * s).clamp(-448.0, 448.0).to(FP8),)
""", """
def search(x, s):
    return (x.float() * s).clamp(-448.0, 448.0).to(FP8)

def replace(x, s):
    return torch.clip(x.float() * s, -448.0, 448.0).to(FP8)

register_replacement(search, replace, [e(4, 8, dtype=BF16), e(1)], fwd_only, patterns)
""", False, "static quant: the pattern upcasts what is float32 in the model")

case("quant-lower-bound", ["constant"], {"x": "(16, 32)"}, """
    s = x.abs().amax(-1, keepdim=True).clamp(min=1e-12) / 448.0
    return ((x / s).to(FP8), s)
""", """
FLOOR = 1e-10

def search(x):
    s = x.abs().amax(-1, keepdim=True).clamp(min=FLOOR) / 448.0
    return (x / s).to(FP8), s

def replace(x):
    s = torch.maximum(x.abs().amax(-1, keepdim=True), torch.full((), FLOOR)) / 448.0
    return (x / s).to(FP8), s

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "token quant: another lower bound of the scale")

case("dequant-residual-users", ["escaping-intermediate"], {"x": "(16, 32)", "s": "(1,)", "w": "(32, 8)"}, """
    d = x.to(BF16) * s.to(BF16)
    return (torch.mm(d, w.to(BF16)), d.float().abs().amax())
""", """
def search(x, s, w):
    return torch.mm(x.to(BF16) * s.to(BF16), w.to(BF16))

def replace(x, s, w):
    return torch.matmul((x.to(BF16) * s.to(BF16)), w.to(BF16))

register_replacement(search, replace, [e(4, 8), e(1), e(8, 6)], fwd_only, patterns)
""", False, "dequant + mm: the dequantized value has a second use")

case("dequant-mm-scale", ["operand-order", "structure", "inserted-node", "missing-node", "wrong-operator"], {"x": "(16, 32)", "s": "(8,)", "w": "(32, 8)"}, """
    return (torch.mm(x, w * s),)
""", """
def search(x, s, w):
    return torch.mm(x, w) * s

def replace(x, s, w):
    return s * torch.matmul(x, w)

register_replacement(search, replace, [e(4, 8), e(6), e(8, 6)], fwd_only, patterns)
""", False, "weight-only quant: the model scales the weight, the pattern the product")

case("add-rms-quant-dropped", ["escaping-intermediate"], {"x": "(16, 32), BF16", "r": "(16, 32), BF16", "w": "(32,), BF16", "s": "(1,)"}, """
    at = auto_functionalized(C.fused_add_rms_norm.default, input=x, residual=r, weight=w, epsilon=1e-6)
    q = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty_like(x, dtype=FP8), input=at[1], scale=s)
    return (q[1], at[2])
""", """
def search(result, input, residual, weight, scale):
    at1 = auto_functionalized(C.fused_add_rms_norm.default, input=input, residual=residual, weight=weight, epsilon=1e-6)
    at2 = auto_functionalized(C.static_scaled_fp8_quant.default, result=result, input=at1[1], scale=scale)
    return at2[1]

def replace(result, input, residual, weight, scale):
    at = auto_functionalized(C.fused_add_rms_norm_static_fp8_quant.default, result=result, input=input, residual=residual, weight=weight, scale=scale, epsilon=1e-6)
    return at[1]

register_replacement(search, replace, [e(5, 16, dtype=FP8), e(5, 16, dtype=BF16), e(5, 16, dtype=BF16), e(16, dtype=BF16), e(1)], fwd_only, patterns)
""", True, "vLLM add + RMSNorm + quant: the pattern drops the residual")

case("rms-quant-buffer", ["factory", "constant", "kwarg-extra", "kwarg-missing", "arity"], {"x": "(16, 32), BF16", "w": "(32,), BF16", "s": "(1,)"}, """
    at = auto_functionalized(C.rms_norm.default, result=torch.empty_like(x), input=x, weight=w, epsilon=1e-6)
    q = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty_like(x, dtype=FP8), input=at[1], scale=s)
    return (q[1],)
""", """
def search(x, w, s):
    at1 = auto_functionalized(C.rms_norm.default, result=torch.empty_like(x), input=x, weight=w, epsilon=1e-6)
    at2 = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty_like(x, dtype=torch.float8_e5m2), input=at1[1], scale=s)
    return at2[1]

def replace(x, w, s):
    at = auto_functionalized(C.rms_norm_static_fp8_quant.default, result=torch.empty_like(x, dtype=FP8), input=x, weight=w, scale=s, epsilon=1e-6)
    return at[1]

register_replacement(search, replace, [e(5, 16, dtype=BF16), e(16, dtype=BF16), e(1)], fwd_only, patterns)
""", False, "vLLM RMSNorm + quant: a buffer of another dtype")

case("rms-quant-none", ["kwarg-missing", "arity"], {"x": "(16, 32), BF16", "w": "(32,), BF16", "s": "(1,)"}, """
    at = auto_functionalized(C.rms_norm.default, result=torch.empty_like(x), input=x, weight=w, epsilon=1e-6)
    q = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty_like(x, dtype=FP8), input=at[1], scale=s)
    return (q[1],)
""", """
def search(result, result_rms, input, weight, scale):
    at1 = auto_functionalized(C.rms_norm.default, result=result_rms, input=input, weight=weight, epsilon=1e-6)
    at2 = auto_functionalized(C.static_scaled_fp8_quant.default, result=result, input=at1[1], scale=scale, group_shape=None)
    return at2[1]

def replace(result, result_rms, input, weight, scale):
    at = auto_functionalized(C.rms_norm_static_fp8_quant.default, result=result, input=input, weight=weight, scale=scale, epsilon=1e-6)
    return at[1]

register_replacement(search, replace, [e(5, 16, dtype=FP8), e(5, 16, dtype=BF16), e(5, 16, dtype=BF16), e(16, dtype=BF16), e(1)], fwd_only, patterns)
""", False, "vLLM RMSNorm + quant: the pattern passes group_shape=None")

case("silu-op-written-out", ["wrong-operator", "decomposed", "functionalization"], {"x": "(16, 64), BF16", "s": "(1,)"}, """
    at = auto_functionalized(C.silu_and_mul.default, result=torch.empty(16, 32, dtype=BF16), input=x)
    q = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty(16, 32, dtype=FP8), input=at[1], scale=s)
    return (q[1],)
""", """
def search(result, x, scale):
    d = x.shape[-1] // 2
    h = F.silu(x[..., :d]) * x[..., d:]
    return auto_functionalized(C.static_scaled_fp8_quant.default, result=result, input=h, scale=scale)[1]

def replace(result, x, scale):
    return auto_functionalized(C.silu_and_mul_quant.default, result=result, input=x, scale=scale)[1]

register_replacement(search, replace, [e(4, 8, dtype=FP8), e(4, 16, dtype=BF16), e(1)], fwd_only, patterns)
""", False, "vLLM silu + mul + quant: an operator in the model, written out in the pattern")

case("silu-op-buffer-shape", ["constant", "factory"], {"x": "(16, 64), BF16", "s": "(1,)"}, """
    at = auto_functionalized(C.silu_and_mul.default, result=torch.empty([16, 32], dtype=BF16), input=x)
    q = auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty([16, 32], dtype=FP8), input=at[1], scale=s)
    return (q[1],)
""", """
def search(x, scale):
    a = auto_functionalized(C.silu_and_mul.default, result=torch.empty([4, 8], dtype=BF16), input=x)
    return auto_functionalized(C.static_scaled_fp8_quant.default, result=torch.empty([4, 8], dtype=FP8), input=a[1], scale=scale)[1]

def replace(x, scale):
    result = torch.empty([x.shape[0], x.shape[1] // 2], dtype=FP8)
    return auto_functionalized(C.silu_and_mul_quant.default, result=result, input=x, scale=scale)[1]

register_replacement(search, replace, [e(4, 16, dtype=BF16), e(1)], fwd_only, patterns)
""", False, "vLLM silu + mul + quant: buffers with the sizes of the example")
