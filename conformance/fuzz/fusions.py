"""Fusions as engineers write them, the input of perturbed.py. Names and schemas are vLLM's, SGLang's, Ascend's."""
from dataclasses import dataclass, field

BF16, FP8, F32, I8, I64 = "torch.bfloat16", "torch.float8_e4m3fn", "torch.float32", "torch.int8", "torch.int64"

# name → schema, and what the fake returns
SCHEMAS = {
    "rms_norm": ("Tensor! result, Tensor input, Tensor weight, float epsilon", "()", "None"),
    "gemma_rms_norm": ("Tensor! result, Tensor input, Tensor weight, float epsilon", "()", "None"),
    "fused_add_rms_norm": ("Tensor! input, Tensor! residual, Tensor weight, float epsilon", "()", "None"),
    "gemma_fused_add_rms_norm": ("Tensor! input, Tensor! residual, Tensor weight, float epsilon", "()", "None"),
    "static_scaled_fp8_quant": ("Tensor! result, Tensor input, Tensor scale", "()", "None"),
    "static_scaled_fp8_quant.per_channel": ("Tensor! result, Tensor input, Tensor scale", "()", "None"),
    "static_scaled_int8_quant": ("Tensor! result, Tensor input, Tensor scale", "()", "None"),
    "dynamic_per_token_scaled_fp8_quant": ("Tensor! result, Tensor input, Tensor! scale, Tensor? scale_ub", "()", "None"),
    "dynamic_scaled_fp8_quant": ("Tensor! result, Tensor input, Tensor! scale, Tensor? scale_ub", "()", "None"),
    "per_token_group_fp8_quant": ("Tensor input, Tensor! output_q, Tensor! output_s, int group_size, float eps, float fp8_min, float fp8_max, bool scale_ue8m0", "()", "None"),
    "silu_and_mul": ("Tensor! result, Tensor input", "()", "None"),
    "gelu_and_mul": ("Tensor! result, Tensor input", "()", "None"),
    "rotary_embedding": ("Tensor positions, Tensor! query, Tensor! key, int head_size, Tensor cos_sin_cache, bool is_neox", "()", "None"),
    "unified_attention_with_output": ("Tensor query, Tensor key, Tensor value, Tensor! output, str layer_name, Tensor? output_scale=None", "()", "None"),
    "all_reduce": ("Tensor x, str group_name, Tensor? out=None", "Tensor", "torch.empty_like(x)"),
    "all_gather": ("Tensor x, str group_name, Tensor? out=None", "Tensor", "torch.empty_like(x)"),
    "rmsnorm": ("Tensor input, Tensor weight, float eps=1e-06, bool enable_pdl=False", "Tensor", "torch.empty_like(input)"),
    "gemma_rmsnorm": ("Tensor input, Tensor weight, float eps=1e-06, bool enable_pdl=False", "Tensor", "torch.empty_like(input)"),
    "npu_add_rms_norm": ("Tensor x1, Tensor x2, Tensor gamma, float epsilon=1e-06", "(Tensor, Tensor, Tensor)", "(torch.empty_like(x1), x1.new_empty(x1.shape[0], 1, dtype=torch.float32), torch.empty_like(x1))"),
    "npu_add_rms_norm_bias": ("Tensor x1, Tensor x2, Tensor gamma, float epsilon=1e-06", "(Tensor, Tensor, Tensor)", "(torch.empty_like(x1), x1.new_empty(x1.shape[0], 1, dtype=torch.float32), torch.empty_like(x1))"),
    "npu_quantize": ("Tensor input, Tensor scales, Tensor? zero_points, ScalarType dtype, int axis=1, bool div_mode=True", "Tensor", "torch.empty_like(input, dtype=torch.int8)"),
    "sgl_per_token_quant_fp8": ("Tensor input, Tensor! output_q, Tensor! output_s", "()", "None"),
    "quant_linear": ("Tensor x, Tensor weight, Tensor? bias=None, float scale=1.0", "Tensor", "x.new_empty(x.shape[0], weight.shape[0])"),
}


@dataclass
class Plain:
    """`out = text`; {name} stands for a value or a constant."""

    out: str
    text: str


@dataclass
class Writes:
    """A call of a custom operator that writes to some of its arguments.

    A buffer is an argument that the model makes before the call: (its shape in the pattern's example, its dtype)."""

    op: str
    args: dict
    outs: dict  # argument written → name of the value afterwards
    buffers: dict = field(default_factory=dict)


@dataclass
class Fusion:
    name: str
    inputs: dict  # name → (shape in the pattern's example, shape in the model, dtype)
    steps: list
    returns: list
    consts: dict = field(default_factory=dict)  # name → (text, other texts)
    other_ops: dict = field(default_factory=dict)  # text → text of another operator with the same arguments
    overloads: dict = field(default_factory=dict)  # text → text of another overload
    reads_only: tuple = ("w", "scale", "bias", "cache", "pos", "wq", "offset", "m", "mask")


ROW = (5, 256)
X = (ROW, (16, 256), BF16)
W = ((256,), (256,), BF16)
SCALE = ((1,), (1,), F32)
EPS = ("1e-6", ["1e-5", "1e-12", "2e-6"])
NORM = {"rms_norm": "gemma_rms_norm"}
QUANT = {"static_scaled_fp8_quant": "static_scaled_int8_quant"}
PER_CHANNEL = {"static_scaled_fp8_quant.default": "static_scaled_fp8_quant.per_channel"}
rms = lambda x, out: Writes("rms_norm", {"result": "", "input": x, "weight": "{w}", "epsilon": "{eps}"}, {"result": out}, {"result": (ROW, BF16)})  # noqa: E731
quant = lambda x, out: Writes("static_scaled_fp8_quant", {"result": "", "input": x, "scale": "{scale}"}, {"result": out}, {"result": (ROW, FP8)})  # noqa: E731
group = lambda x: Writes(  # noqa: E731
    "per_token_group_fp8_quant",
    {"input": x, "output_q": "", "output_s": "", "group_size": "{gs}", "eps": "{geps}", "fp8_min": "-448.0", "fp8_max": "448.0", "scale_ue8m0": "{ue}"},
    {"output_q": "q", "output_s": "s"}, {"output_q": (ROW, FP8), "output_s": ((5, 2), F32)})
GROUP = {"gs": ("128", ["64"]), "geps": ("1e-10", ["1e-6"]), "ue": ("False", ["True"])}
silu = lambda: Writes("silu_and_mul", {"result": "", "input": "{x}"}, {"result": "h"}, {"result": (ROW, BF16)})  # noqa: E731
WIDE = ((5, 512), (16, 512), BF16)
SILU = {"silu_and_mul": "gelu_and_mul"}
RMS_NATIVE = [
    Plain("xf", "{x}.to(torch.float32)"), Plain("sq", "{xf}.pow({p})"), Plain("var", "{sq}.mean(-1, keepdim=True)"), Plain("ve", "{var} + {eps}"),
    Plain("r", "torch.rsqrt({ve})"), Plain("n", "{xf} * {r}"), Plain("nb", "{n}.to(torch.bfloat16)"), Plain("y", "{nb} * {w}")]

CUSTOM = [
    Fusion("rms_quant", {"x": X, "w": W, "scale": SCALE}, [rms("{x}", "h"), quant("{h}", "q")], ["q"], {"eps": EPS}, NORM | QUANT, PER_CHANNEL),
    Fusion("add_rms_quant", {"x": X, "res": X, "w": W, "scale": SCALE},
           [Writes("fused_add_rms_norm", {"input": "{x}", "residual": "{res}", "weight": "{w}", "epsilon": "{eps}"}, {"input": "h", "residual": "r"}), quant("{h}", "q")],
           ["q", "r"], {"eps": EPS}, {"fused_add_rms_norm": "gemma_fused_add_rms_norm"} | QUANT, PER_CHANNEL),
    Fusion("rms_dynamic_quant", {"x": X, "w": W},
           [rms("{x}", "h"), Writes("dynamic_per_token_scaled_fp8_quant", {"result": "", "input": "{h}", "scale": "", "scale_ub": "None"}, {"result": "q", "scale": "s"},
                                    {"result": (ROW, FP8), "scale": ((5, 1), F32)})],
           ["q", "s"], {"eps": EPS}, NORM | {"dynamic_per_token_scaled_fp8_quant": "dynamic_scaled_fp8_quant"}),
    Fusion("silu_quant", {"x": WIDE, "scale": SCALE}, [silu(), Writes("static_scaled_fp8_quant", {"result": "", "input": "{h}", "scale": "{scale}"}, {"result": "q"}, {"result": (ROW, FP8)})],
           ["q"], {}, SILU | QUANT, PER_CHANNEL),
    Fusion("silu_group_quant", {"x": WIDE}, [silu(), group("{h}")], ["q", "s"], GROUP, SILU),
    Fusion("rms_group_quant", {"x": X, "w": W}, [rms("{x}", "h"), group("{h}")], ["q", "s"], {"eps": EPS} | GROUP, NORM),
    Fusion("rope", {"pos": ((5,), (16,), I64), "a": X, "b": X, "cache": ((32, 64), (64, 64), BF16)},
           [Plain("q", "{a} * 2.0"), Plain("k", "{b} * 3.0"), Writes("rotary_embedding", {"positions": "{pos}", "query": "{q}", "key": "{k}", "head_size": "{hs}", "cos_sin_cache": "{cache}", "is_neox": "{neox}"}, {"query": "qr", "key": "kr"})],
           ["qr", "kr"], {"hs": ("64", ["128"]), "neox": ("True", ["False"])}),
    Fusion("attn_quant", {"x": X, "k": X, "v": X, "scale": SCALE},
           [Writes("unified_attention_with_output", {"query": "{x}", "key": "{k}", "value": "{v}", "output": "", "layer_name": "{layer}", "output_scale": "None"}, {"output": "h"}, {"output": (ROW, BF16)}), quant("{h}", "q")],
           ["q"], {"layer": ("'model.layers.0.attn'", ["'model.layers.1.attn'"])}, QUANT, PER_CHANNEL),
    Fusion("allreduce_rms", {"x": X, "res": X, "w": W},
           [Plain("ar", "torch.ops.{NS}.all_reduce.default({x}, {grp})"), Writes("fused_add_rms_norm", {"input": "{ar}", "residual": "{res}", "weight": "{w}", "epsilon": "{eps}"}, {"input": "h", "residual": "r"})],
           ["h", "r"], {"eps": EPS, "grp": ("'tp:0'", ["'ep:0'"])}, {"all_reduce": "all_gather"}),
    Fusion("ascend_add_rms_quant", {"x": X, "res": X, "w": W, "scale": ((256,), (256,), BF16), "offset": ((256,), (256,), BF16)},
           [Plain("t", "torch.ops.{NS}.npu_add_rms_norm.default({x}, {res}, {w}, {eps})"), Plain("h", "{t}[0]"), Plain("r", "{t}[2]"),
            Plain("q", "torch.ops.{NS}.npu_quantize.default({h}, {scale}, {offset}, torch.qint8, {axis}, {div})")],
           ["q", "r"], {"eps": ("1e-5", ["1e-4", "1e-3"]), "axis": ("-1", ["0"]), "div": ("False", ["True"])}, {"npu_add_rms_norm": "npu_add_rms_norm_bias"}),
    Fusion("sglang_rms_quant", {"x": X, "w": W},
           [Plain("h", "torch.ops.{NS}.rmsnorm.default({x}, {w}, {eps})"), Writes("sgl_per_token_quant_fp8", {"input": "{h}", "output_q": "", "output_s": ""}, {"output_q": "q", "output_s": "s"}, {"output_q": (ROW, FP8), "output_s": ((5, 1), F32)})],
           ["q", "s"], {"eps": ("1e-5", ["1e-4"])}, {"rmsnorm": "gemma_rmsnorm"}),
    Fusion("norm_linear", {"x": X, "w": W, "wq": ((256, 256), (256, 256), BF16)},
           [Plain("h", "torch.ops.{NS}.rmsnorm.default({x}, {w}, {eps})"), Plain("y", "torch.ops.{NS}.quant_linear.default({h}, {wq}, None, {ls})"), Plain("z", "torch.nn.functional.silu({y})")],
           ["z"], {"eps": ("1e-5", ["1e-4"]), "ls": ("0.5", ["0.25"])}, {"rmsnorm": "gemma_rmsnorm"}),
]

HEADS = ((2, 4, 5, 64), (2, 4, 16, 64), F32)
SQUARE = ((256, 256), (256, 256), F32)
XF = ((5, 256), (16, 256), F32)
NATIVE = [
    Fusion("native_rms", {"x": X, "w": W}, RMS_NATIVE, ["y"], {"eps": EPS, "p": ("2", ["3"])}, {"torch.rsqrt": "torch.sqrt", ".mean(": ".amax("}, {".mean(-1, keepdim=True)": ".mean()"}),
    Fusion("native_rms_quant", {"x": X, "w": W, "scale": SCALE},
           RMS_NATIVE + [Plain("yf", "{y}.to(torch.float32)"), Plain("d", "{yf} / {scale}"), Plain("c", "torch.clamp({d}, {lo}, 448.0)"), Plain("q", "{c}.to(torch.float8_e4m3fn)")], ["q"],
           {"eps": EPS, "p": ("2", ["3"]), "lo": ("-448.0", ["-240.0"])}, {"torch.rsqrt": "torch.sqrt"}),
    Fusion("native_add_rms", {"x": X, "res": X, "w": W},
           [Plain("x0", "{x} + {res}")] + [Plain(s.out, s.text.replace("{x}", "{x0}")) for s in RMS_NATIVE], ["y", "x0"], {"eps": EPS, "p": ("2", ["3"])}, {"torch.rsqrt": "torch.exp"}),
    Fusion("native_silu_mul", {"x": WIDE}, [Plain("g", "{x}[..., :256]"), Plain("u", "{x}[..., 256:]"), Plain("sg", "F.silu({g})"), Plain("y", "{sg} * {u}")], ["y"], {}, {"F.silu": "F.gelu"}),
    Fusion("native_gated_quant", {"g": XF, "u": XF, "scale": SCALE},
           [Plain("s", "torch.sigmoid({g})"), Plain("sg", "{s} * {g}"), Plain("y", "{sg} * {u}"), Plain("d", "{y} * {scale}"), Plain("rd", "torch.round({d})"), Plain("c", "torch.clamp({rd}, {lo}, 127)"), Plain("q", "{c}.to(torch.int8)")], ["q"],
           {"lo": ("-128", ["-127"])}, {"torch.sigmoid": "torch.tanh", "torch.round": "torch.floor"}),
    Fusion("native_rope", {"q": HEADS, "cos": ((5, 64), (16, 64), F32), "sin": ((5, 64), (16, 64), F32)},
           [Plain("a", "{q}[..., :32]"), Plain("b", "{q}[..., 32:]"), Plain("nb", "-{b}"), Plain("rot", "torch.cat(({nb}, {a}), {dim})"), Plain("qc", "{q} * {cos}"), Plain("rs", "{rot} * {sin}"), Plain("y", "{qc} + {rs}")],
           ["y"], {"dim": ("-1", ["-1"])}, {"{qc} + ": "{qc} - "}),
    Fusion("mm_gelu", {"x": XF, "m": SQUARE}, [Plain("h", "{x} @ {m}"), Plain("y", "F.gelu({h}, approximate={ap})")], ["y"], {"ap": ("'tanh'", ["'none'"])}, {"F.gelu({h}, approximate={ap})": "F.silu({h})"}),
    Fusion("mm_bias_gelu", {"x": XF, "m": SQUARE, "bias": ((256,), (256,), F32)}, [Plain("h", "{x} @ {m}"), Plain("hb", "{h} + {bias}"), Plain("y", "F.gelu({hb}, approximate={ap})")], ["y"],
           {"ap": ("'tanh'", ["'tanh'"])}),
    Fusion("mm_gate", {"x": XF, "m": SQUARE, "wq": SQUARE}, [Plain("g", "torch.mm({x}, {m})"), Plain("u", "torch.mm({x}, {wq})"), Plain("s", "F.silu({g})"), Plain("y", "{s} * {u}")], ["y"], {}, {"F.silu": "F.relu"}),
    Fusion("native_attention", {"q": HEADS, "k": HEADS, "v": HEADS},
           [Plain("kt", "{k}.transpose(-2, -1)"), Plain("sc", "torch.matmul({q}, {kt})"), Plain("ss", "{sc} * {sm}"), Plain("p", "torch.softmax({ss}, dim=-1)"), Plain("y", "torch.matmul({p}, {v})")], ["y"],
           {"sm": ("0.125", ["0.25"])}, {"{sc} * {sm}": "{sc} / {sm}"}),
    Fusion("layer_norm_residual", {"x": XF, "res": XF, "w": ((256,), (256,), F32), "bias": ((256,), (256,), F32)},
           [Plain("h", "{x} + {res}"), Plain("mu", "{h}.mean(-1, keepdim=True)"), Plain("c", "{h} - {mu}"), Plain("sq", "{c} * {c}"), Plain("v", "{sq}.mean(-1, keepdim=True)"), Plain("ve", "{v} + {eps}"), Plain("r", "torch.rsqrt({ve})"),
            Plain("n", "{c} * {r}"), Plain("nw", "{n} * {w}"), Plain("y", "{nw} + {bias}")], ["y", "h"], {"eps": EPS}, {"torch.rsqrt": "torch.reciprocal"}),
    Fusion("dequant_linear", {"x": XF, "wq": ((256, 256), (256, 256), I8), "scale": ((256, 1), (256, 1), F32)},
           [Plain("f", "{wq}.to(torch.float32)"), Plain("d", "{f} * {scale}"), Plain("t", "{d}.t()"), Plain("y", "torch.mm({x}, {t})"), Plain("z", "torch.relu({y})")], ["z"], {}, {"torch.relu": "torch.tanh"}),
    Fusion("softmax_topk", {"x": XF}, [Plain("p", "torch.softmax({x}, dim=-1)"), Plain("t", "torch.topk({p}, {k})"), Plain("v", "{t}[0]"), Plain("i", "{t}[1]"), Plain("s", "{v}.sum(-1, keepdim=True)"), Plain("n", "{v} / {s}")], ["n", "i"],
           {"k": ("8", ["4"])}),
]
