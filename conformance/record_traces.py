"""Records what make_fx (as torch._inductor.pattern_matcher.fwd_only) does with single operator calls.

    chroot DIR python3 - < conformance/record_traces.py > conformance/traces.jsonl     (DIR: a real PyTorch 2.14.1)

A case is a list of inputs and a list of calls. A target of three parts (`aten.add.Tensor`) is called through
torch.ops; one of two parts (`aten.add`) as `torch.add` / `torch.nn.functional.add` / `Tensor.add` would be.
`$3` is the value numbered 3 (inputs first, then results), `$3.1` an item of it. Floats are written {"f": 1.0}.
"""
import inspect
import json
import re
import sys

import torch
from torch._inductor.pattern_matcher import fwd_only
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

SHORT = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "f16": torch.float16, "i64": torch.int64,
         "i32": torch.int32, "i8": torch.int8, "u8": torch.uint8, "b8": torch.bool, "f8e4m3fn": torch.float8_e4m3fn}
NAMES = {v: k for k, v in SHORT.items()}


def tensor(text):
    m = re.fullmatch(r"(\w+)\[([\d, ]*)\](?:\(([\d, ]*)\))?", text)
    ints = lambda s: [int(x) for x in s.split(",") if x.strip()]
    if m[3] is None:
        return torch.empty(ints(m[2]), dtype=SHORT[m[1]])
    return torch.empty_strided(ints(m[2]), ints(m[3]), dtype=SHORT[m[1]])


def describe(v):
    if isinstance(v, torch.Tensor):
        return f"{NAMES.get(v.dtype, v.dtype)}{list(v.shape)}{tuple(v.stride())}".replace(" ", "")
    if isinstance(v, (list, tuple)):
        return [describe(x) for x in v]
    return repr(v)


def find(target):
    parts = target.split(".")
    if parts[0] in ("aten", "prims") and len(parts) == 3:
        return getattr(getattr(getattr(torch.ops, parts[0]), parts[1]), parts[2])
    if parts[1] == "log_sigmoid":
        return torch.nn.functional.logsigmoid
    for home in (torch, torch.nn.functional, torch.special, torch.linalg, torch.Tensor):
        if hasattr(home, parts[1]):
            return getattr(home, parts[1])
    raise KeyError(target)


def value(x, values):
    if isinstance(x, str) and re.fullmatch(r"\$\d+(\.\d+)?", x):
        at, _, item = x[1:].partition(".")
        return values[int(at)][int(item)] if item else values[int(at)]
    if isinstance(x, list):
        return [value(y, values) for y in x]
    if isinstance(x, dict):
        (k, v), = x.items()
        if k == "f":
            return float(v)
        if k == "device":
            return torch.device(v)
        return getattr(torch, v)
    return x


def run(case):
    def fn(*args):
        values = list(args)
        for target, a, k in case["calls"]:
            values.append(find(target)(*[value(x, values) for x in a], **{n: value(x, values) for n, x in k.items()}))
        return value(case.get("out", f"${len(values) - 1}"), values)

    names = [chr(97 + i) for i in range(len(case["inputs"]))]
    scope = {"fn": fn}
    exec(f"def traced({', '.join(names)}):\n    return fn({', '.join(names)})", scope)
    try:
        with FakeTensorMode():
            gm = fwd_only(scope["traced"], [tensor(t) for t in case["inputs"]])
    except Exception as e:
        return {**case, "error": f"{type(e).__name__}: {e}".split("\n")[0][:300]}
    vals = {n.name: describe(n.meta["val"]) for n in gm.graph.nodes if "val" in n.meta}
    return {**case, "graph": str(gm.graph), "vals": vals}


CASES = []


def c(inputs, *calls, out=None):
    calls = [(t, list(a), dict(k)) for t, a, k in (x if len(x) == 3 else (*x, {}) for x in calls)]
    CASES.append({"inputs": inputs.split(" ") if inputs else [], "calls": calls, **({"out": out} if out else {})})


F = lambda x: {"f": x}
DT = lambda x: {"dtype": x}
MF = lambda x: {"memory_format": x}
CPU = {"device": "cpu"}
X, XY = "f32[4,8]", "f32[4,8] f32[4,8]"

# Elementwise, promotion, broadcasting, strides.
for op in ("add", "sub", "mul", "div"):
    for xs in (XY, "f32[4,8] bf16[4,8]", "bf16[4,8] f32[]", "f32[4,1] f32[8]", "i64[4] f32[]", "i32[4,8] i32[4,8]",
               "f32[4,8](1,4) f32[4,8](1,4)", "f32[4,8](1,4) f32[4,8]", "f32[2,3,4](4,8,1) f32[3,1]", "b8[4] i8[4]"):
        c(xs, (f"aten.{op}", ["$0", "$1"]))
    for s in (2, F(2.5), True):
        for x in (X, "bf16[4]", "i64[4]"):
            c(x, (f"aten.{op}", ["$0", s]))
c(XY, ("aten.add", ["$0", "$1"], {"alpha": 2}))
c(XY, ("aten.sub", ["$0", "$1"], {"alpha": F(3.0)}))
c(XY, ("aten.add.Tensor", ["$0", "$1"], {"alpha": 1}))
c(X, ("aten.add.Scalar", ["$0", 1]))
c(X, ("aten.mul.Scalar", ["$0", F(2.0)]))
c(X, ("aten.rsub", ["$0", F(1.0)]))
c("bf16[4]", ("aten.rsub", ["$0", 1]))
c(XY, ("aten.rsub", ["$0", "$1"]))
c(XY, ("aten.div", ["$0", "$1"], {"rounding_mode": "floor"}))
c("i64[4]", ("aten.div", ["$0", 2], {"rounding_mode": "trunc"}))
c("i64[4]", ("aten.floor_divide", ["$0", 2]))
c(XY, ("aten.floor_divide", ["$0", "$1"]))
for e in (2, F(2.0), F(0.5), 3, F(-0.5)):
    c(X, ("aten.pow", ["$0", e]))
    c("bf16[4]", ("aten.pow", ["$0", e]))
    c("i32[4]", ("aten.pow", ["$0", e]))
c(XY, ("aten.pow", ["$0", "$1"]))
c(X, ("aten.pow", [F(2.0), "$0"]))
for op in ("neg", "rsqrt", "sqrt", "exp", "exp2", "log", "log2", "log1p", "expm1", "sin", "cos", "tan", "tanh", "sigmoid",
           "relu", "abs", "reciprocal", "erf", "floor", "ceil", "round", "trunc", "sign", "silu", "gelu", "mish", "softplus",
           "hardswish", "hardsigmoid", "relu6", "log_sigmoid", "celu", "isnan", "isinf", "isfinite", "logical_not", "square", "frac", "positive", "erfc", "erfinv", "atan", "asin", "acos",
           "sinh", "cosh", "nan_to_num", "clone", "detach", "contiguous", "zeros_like", "ones_like", "empty_like",
           "rand_like", "deg2rad", "sgn", "lgamma", "digamma", "signbit", "sinc", "logit", "bitwise_not"):
    for x in (X, "bf16[4,8]", "i32[4]", "f32[4,8](1,4)"):
        c(x, (f"aten.{op}", ["$0"]))
c(X, ("aten.gelu", ["$0"], {"approximate": "tanh"}))
c("bf16[4,8]", ("aten.gelu", ["$0"], {"approximate": "tanh"}))
c(X, ("aten.round", ["$0"], {"decimals": 2}))
for x in (X, "bf16[4,8]"):
    for op in ("leaky_relu", "elu", "selu"):
        c(x, (f"aten.{op}", ["$0"]))
    c(x, ("aten.hardtanh", ["$0", F(-1.0), F(1.0)]))
for op in ("eq", "ne", "lt", "le", "gt", "ge"):
    c(XY, (f"aten.{op}", ["$0", "$1"]))
    c("i64[4]", (f"aten.{op}", ["$0", 0]))
    c(X, (f"aten.{op}", ["$0", F(0.5)]))
for op in ("maximum", "minimum", "fmod", "remainder", "atan2", "logical_and", "logical_or", "bitwise_and", "bitwise_or", "max",
           "min", "xlogy", "hypot", "copysign"):
    c("i32[4] i32[4]", (f"aten.{op}", ["$0", "$1"]))
    c("f32[4,1] bf16[8]", (f"aten.{op}", ["$0", "$1"]))
c("i32[4]", ("aten.bitwise_and", ["$0", 15]))
c("i32[4]", ("aten.bitwise_right_shift", ["$0", 4]))
c("i32[4]", ("aten.__rshift__.Scalar", ["$0", 4]))
c("i32[4]", ("aten.bitwise_and.Scalar", ["$0", 4]))
c("f32[4]", ("aten.fmod", ["$0", 2]))
c("f32[4]", ("aten.remainder", ["$0", F(2.0)]))
for x in (X, "bf16[4]", "i64[4]"):
    c(x, ("aten.clamp", ["$0", 0, 6]))
    c(x, ("aten.clamp", ["$0"], {"min": F(-1.0)}))
    c(x, ("aten.clamp", ["$0"], {"max": 1}))
    c(x, ("aten.clamp_min", ["$0", 0]))
    c(x, ("aten.clamp_max", ["$0", F(1.5)]))
c("f32[4] f32[4] f32[4]", ("aten.clamp", ["$0", "$1", "$2"]))
c("b8[4,8] f32[4,8] f32[8]", ("aten.where", ["$0", "$1", "$2"]))
c("b8[4,8] bf16[4,8]", ("aten.where", ["$0", "$1", F(0.0)]))
c("b8[4,8] f32[4,8]", ("aten.where", ["$0", 0, "$1"]))
c("b8[4]", ("aten.where", ["$0", F(1.0), F(0.0)]))
c("b8[4]", ("aten.where", ["$0", 1, 0]))
c("f32[4,8] b8[4,8]", ("aten.masked_fill", ["$0", "$1", F(-1.0)]))
c("bf16[4,8] b8[8]", ("aten.masked_fill", ["$0", "$1", F("-inf")]))
c("f32[4] f32[4] f32[4]", ("aten.addcmul", ["$0", "$1", "$2"]))
c("bf16[4] bf16[4] bf16[4]", ("aten.addcmul", ["$0", "$1", "$2"], {"value": 2}))
c("f32[4] f32[4] f32[4]", ("aten.addcdiv", ["$0", "$1", "$2"]))
c("f32[4] f32[4]", ("aten.lerp", ["$0", "$1", F(0.3)]))
c("f32[4] f32[4] f32[4]", ("aten.lerp", ["$0", "$1", "$2"]))
c("f32[4] f32[4]", ("aten.mse_loss", ["$0", "$1"]))

# In place and mutation.
for op in ("add_", "sub_", "mul_", "div_"):
    c(XY, (f"aten.{op}", ["$0", "$1"]), out=["$2"])
    c(X, (f"aten.{op}", ["$0", 1]))
for op in ("relu_", "neg_", "exp_", "sigmoid_", "zero_", "tanh_"):
    c(X, (f"aten.{op}", ["$0"]))
c(XY, ("aten.copy_", ["$0", "$1"]), ("aten.mul", ["$0", 2]))
c("bf16[4,8] f32[8]", ("aten.copy_", ["$0", "$1"]), ("aten.mul", ["$0", 2]))
c(X, ("aten.fill_", ["$0", F(1.0)]))
c(X, ("aten.clamp_", ["$0", 0, 1]))
c(X, ("aten.clone", ["$0"]), ("aten.add_", ["$1", F(1.0)]), ("aten.mul", ["$1", "$0"]))

# Factories.
for op in ("empty", "zeros", "ones"):
    c("", (f"aten.{op}", [[2, 3]]))
    c("", (f"aten.{op}", [[2, 3]], {"dtype": DT("bfloat16"), "device": CPU}))
c("", ("aten.empty.memory_format", [[2, 3]], {"dtype": DT("bfloat16")}))
c("", ("aten.empty", [[2, 3]], {"dtype": DT("bfloat16"), "pin_memory": False}))
c("", ("aten.full", [[2, 3], 1]))
c("", ("aten.full", [[2, 3], F(1.0)]))
c("", ("aten.full", [[2, 3], True]))
c("", ("aten.full", [[], F(1.0)], {"dtype": DT("bfloat16"), "device": CPU}))
c("", ("aten.empty_strided", [[2, 3], [1, 2]], {"dtype": DT("float32")}))
c("", ("aten.arange", [5]))
c("", ("aten.arange", [1, 5]))
c("", ("aten.arange", [0, 10, 2], {"dtype": DT("int32")}))
c("", ("aten.arange", [F(5.0)], {"device": CPU}))
c("", ("aten.scalar_tensor", [F(2.0)]))
c("", ("aten.eye", [4]))
c("", ("aten.rand", [[2, 3]]))
c("", ("aten.randn", [[2, 3]]))
c("", ("aten.linspace", [0, 1, 5]))
for x in (X, "bf16[4,8](1,4)"):
    for op in ("empty_like", "zeros_like", "ones_like"):
        c(x, (f"aten.{op}", ["$0"], {"dtype": DT("int8")}))
    c(x, ("aten.full_like", ["$0", 3]))
    c(x, ("aten.full_like", ["$0", F(3.0)], {"dtype": DT("int64")}))
    c(x, ("aten.new_empty", ["$0", [3, 5]]))
    c(x, ("aten.new_empty", ["$0", [3, 5]], {"dtype": DT("int32")}))
    c(x, ("aten.new_zeros", ["$0", [3, 5]]))
    c(x, ("aten.new_ones", ["$0", [3, 5]]))
    c(x, ("aten.new_full", ["$0", [3], F(2.0)]))
c(X, ("aten.empty_like", ["$0"], {"memory_format": MF("contiguous_format")}))
c(X, ("aten.empty_like.default", ["$0"]))

# Views.
for x in (X, "f32[4,8](1,4)", "bf16[2,4,8]"):
    n = {"f32[4,8]": 32, "f32[4,8](1,4)": 32, "bf16[2,4,8]": 64}[x]
    c(x, ("aten.view", ["$0", [n // 2, 2]]))
    c(x, ("aten.view", ["$0", [-1]]))
    c(x, ("aten.reshape", ["$0", [n // 4, 4]]))
    c(x, ("aten.reshape", ["$0", [-1, 2]]))
    c(x, ("aten.flatten", ["$0"]))
    c(x, ("aten.transpose", ["$0", 0, 1]))
    c(x, ("aten.transpose", ["$0", -1, -2]))
    c(x, ("aten.unsqueeze", ["$0", 0]))
    c(x, ("aten.unsqueeze", ["$0", -1]))
    c(x, ("aten.select", ["$0", 0, 1]))
    c(x, ("aten.select", ["$0", -1, -1]))
    c(x, ("aten.slice.Tensor", ["$0", -1, 0, 2]))
    c(x, ("aten.slice.Tensor", ["$0", 0, 0, 9223372036854775807]))
    c(x, ("aten.slice.Tensor", ["$0", 1, -2]))
    c(x, ("aten.slice.Tensor", ["$0", 1, 0, 8, 2]))
    c(x, ("aten.split", ["$0", 2]), out="$1.1")
    c(x, ("aten.split", ["$0", 2, -1]), out=["$1.0", "$1.1"])
    c(x, ("aten.split", ["$0", [1, 3], 1]), out=["$1.0"])
    c(x, ("aten.chunk", ["$0", 2, 1]), out=["$1.1"])
    c(x, ("aten.unbind", ["$0"]), out=["$1.1"])
    c(x, ("aten.narrow", ["$0", 1, 1, 2]))
    c(x, ("aten.squeeze", ["$0"]))
    c(x, ("aten.contiguous", ["$0"]))
    c(x, ("aten.clone", ["$0"]), ("aten.relu", ["$1"]))
    c(x, ("aten.clone", ["$0"], {"memory_format": MF("contiguous_format")}), ("aten.relu", ["$1"]))
    c(x, ("aten.movedim", ["$0", 0, 1]))
    c(x, ("aten.swapaxes", ["$0", 0, 1]))
    c(x, ("aten.flip", ["$0", [0]]))
    c(x, ("aten.roll", ["$0", 1, 1]))
    c(x, ("aten.view_as", ["$0", "$0"]))
    c(x, ("aten.repeat", ["$0", [2, 1, 1]]))
    c(x, ("aten.tile", ["$0", [2, 1]]))
c("f32[4,8]", ("aten.t", ["$0"]))
c("f32[8]", ("aten.t", ["$0"]))
c("f32[4,8]", ("aten.permute", ["$0", [1, 0]]))
c("f32[4,8]", ("aten.permute", ["$0", [0, 1]]))
c("f32[2,3,4]", ("aten.permute", ["$0", [2, 0, 1]]))
c("f32[2,3,4]", ("aten.permute", ["$0", [-1, -2, 0]]))
c("f32[4,1]", ("aten.expand", ["$0", [4, 8]]))
c("f32[4,1]", ("aten.expand", ["$0", [-1, 8]]))
c("f32[8]", ("aten.expand", ["$0", [4, -1]]))
c("f32[8] f32[4,8]", ("aten.expand_as", ["$0", "$1"]))
c("f32[8] f32[4,8]", ("aten.broadcast_to", ["$0", [4, 8]]))
c("f32[4,1,8]", ("aten.squeeze", ["$0", 1]))
c("f32[4,1,8]", ("aten.squeeze", ["$0"]))
c("f32[4,1,8]", ("aten.squeeze", ["$0", 0]))
c("f32[4,1,1]", ("aten.squeeze", ["$0", [1, 2]]))
c("f32[2,3,4]", ("aten.flatten", ["$0", 1]))
c("f32[2,3,4](1,8,2)", ("aten.flatten", ["$0", 1]))
c("f32[2,12]", ("aten.unflatten", ["$0", 1, [3, 4]]))
c("f32[2,12]", ("aten.as_strided", ["$0", [3, 4], [4, 1]]))
c("f32[2,12]", ("aten.split_with_sizes", ["$0", [4, 8], 1]), out=["$1.1", "$1.0"])
c("f32[2,3,4]", ("aten.diagonal", ["$0"]))
c("f32[4,8]", ("aten.tril", ["$0"]))
c("f32[4,8]", ("aten.view", ["$0", DT("int32")]))
c("bf16[4,8]", ("aten.view", ["$0", DT("int8")]))

# Casts.
for d in ("bfloat16", "float32", "int32", "float8_e4m3fn", "bool"):
    c(X, ("aten.to", ["$0", DT(d)]))
    c("bf16[4,8](1,4)", ("aten.to", ["$0"], {"dtype": DT(d)}))
    c(X, ("aten._to_copy.default", ["$0"], {"dtype": DT(d)}))
    c(X, ("prims.convert_element_type.default", ["$0", DT(d)]))
c("bf16[4,8] f32[2]", ("aten.type_as", ["$0", "$1"]))
c("bf16[4,8] f32[2]", ("aten.to", ["$0", "$1"]))
c(X, ("aten.to", ["$0", CPU]))
c(X, ("aten.to", ["$0", CPU, DT("bfloat16")]))
c(X, ("aten._to_copy.default", ["$0"]))

# Reductions.
for x in (X, "bf16[4,8]", "i32[4,8]", "f32[2,3,4](4,8,1)"):
    for op in ("sum", "mean", "amax", "amin", "prod", "max", "min", "argmax", "any", "all", "var", "std", "logsumexp", "norm"):
        if op != "logsumexp":
            c(x, (f"aten.{op}", ["$0"]))
        c(x, (f"aten.{op}", ["$0", 2 if op == "norm" else -1, *([-1] if op == "norm" else [])]), out=["$1.0"] if op in ("max", "min") else None)
        if op not in ("norm",):
            c(x, (f"aten.{op}", ["$0", -1], {"keepdim": True}), out=["$1.1"] if op in ("max", "min") else None)
    c(x, ("aten.sum", ["$0", [0, 1]]))
    c(x, ("aten.sum", ["$0"], {"dtype": DT("float32")}))
    c(x, ("aten.mean", ["$0", [-1]], {"keepdim": True, "dtype": DT("float32")}))
    c(x, ("aten.amax", ["$0", [0, 1]], {"keepdim": True}))
    c(x, ("aten.var", ["$0", -1], {"unbiased": False}))
    c(x, ("aten.var", ["$0", [-1]], {"correction": 0, "keepdim": True}))
    c(x, ("aten.var_mean", ["$0", [-1]], {"correction": 0, "keepdim": True}), out=["$1.0", "$1.1"])
    c(x, ("aten.cumsum", ["$0", 1]))
    c(x, ("aten.softmax", ["$0", -1]))
    c(x, ("aten.log_softmax", ["$0", -1]))
    c(x, ("aten.topk", ["$0", 2]), out=["$1.0", "$1.1"])
    c(x, ("aten.sort", ["$0"]), out=["$1.0"])
c("bf16[4,8]", ("aten.softmax", ["$0", -1], {"dtype": DT("float32")}))
c(X, ("aten._softmax.default", ["$0", -1, False]))
c("f32[4,8]", ("aten.linalg_vector_norm.default", ["$0", 2, [-1], True]))

# Matrix products and the like.
c("f32[4,8] f32[8,6]", ("aten.mm", ["$0", "$1"]))
c("f32[4,8] f32[8,6]", ("aten.matmul", ["$0", "$1"]))
c("bf16[4,8] bf16[6,8]", ("aten.t", ["$1"]), ("aten.mm", ["$0", "$2"]))
c("f32[4,8] f32[6,8]", ("aten.linear", ["$0", "$1"]))
c("f32[4,8] f32[6,8] f32[6]", ("aten.linear", ["$0", "$1", "$2"]))
c("f32[2,4,8] f32[6,8] f32[6]", ("aten.linear", ["$0", "$1", "$2"]))
c("f32[2,4,8] f32[6,8]", ("aten.linear", ["$0", "$1"]))
c("f32[8] f32[6,8]", ("aten.linear", ["$0", "$1"]))
c("f32[2,4,8] f32[8,6]", ("aten.matmul", ["$0", "$1"]))
c("f32[2,4,8] f32[2,8,6]", ("aten.matmul", ["$0", "$1"]))
c("f32[2,3,4,8] f32[2,3,8,6]", ("aten.matmul", ["$0", "$1"]))
c("f32[2,3,4,8] f32[3,8,6]", ("aten.matmul", ["$0", "$1"]))
c("f32[2,3,4,8] f32[8,6]", ("aten.matmul", ["$0", "$1"]))
c("f32[8] f32[8]", ("aten.matmul", ["$0", "$1"]))
c("f32[4,8] f32[8]", ("aten.matmul", ["$0", "$1"]))
c("f32[8] f32[8,6]", ("aten.matmul", ["$0", "$1"]))
c("f32[2,4,8] f32[8]", ("aten.matmul", ["$0", "$1"]))
c("f32[2,4,8] f32[2,8,6]", ("aten.bmm", ["$0", "$1"]))
c("f32[2,4,1] f32[2,1,6]", ("aten.bmm", ["$0", "$1"]))
c("f32[1,8] f32[8,6]", ("aten.mm", ["$0", "$1"]))
c("f32[1,8] f32[8,1]", ("aten.mm", ["$0", "$1"]))
c("f32[4,1] f32[1,6]", ("aten.mm", ["$0", "$1"]))
c("f32[6] f32[4,8] f32[8,6]", ("aten.addmm", ["$0", "$1", "$2"]))
c("f32[6] f32[1,8] f32[8,6]", ("aten.addmm", ["$0", "$1", "$2"]))
c("bf16[6] bf16[1,8] bf16[8,6]", ("aten.addmm", ["$0", "$1", "$2"]))
c("f32[6] f32[4,8] f32[8,6]", ("aten.addmm", ["$0", "$1", "$2"], {"beta": F(0.5)}))
c("f32[4,6] f32[2,4,8] f32[2,8,6]", ("aten.baddbmm", ["$0", "$1", "$2"]))
c("f32[4,8] f32[9,6]", ("aten.mm", ["$0", "$1"]))
c("f32[4,8] f32[9,6]", ("aten.matmul", ["$0", "$1"]))
c("f32[4,8] bf16[8,6]", ("aten.mm", ["$0", "$1"]))
c("f32[4,8] f32[3,8]", ("aten.add", ["$0", "$1"]))
c("f32[4,8]", ("aten.view", ["$0", [5, 7]]))
c("f32[2,4,8,16] f32[2,4,8,16] f32[2,4,8,16]", ("aten.scaled_dot_product_attention", ["$0", "$1", "$2"]))
c("f32[4,8] f32[2,8]", ("aten.cat", [["$0", "$1"]]))
c("f32[4,8] bf16[4,2]", ("aten.cat", [["$0", "$1"], -1]))
c("f32[4,8]", ("aten.cat", [["$0", "$0"], 1]))
c("f32[4,8]", ("aten.cat", [["$0"], 1]))
c("f32[4,8] f32[4,8]", ("aten.stack", [["$0", "$1"]]))
c("f32[4,8] f32[4,8]", ("aten.stack", [["$0", "$1"], -1]))
c("f32[10,8] i64[4]", ("aten.embedding.default", ["$0", "$1"]))
c("f32[10,8] i64[4]", ("aten.index_select", ["$0", 0, "$1"]))
c("f32[10,8] i64[4]", ("aten.index.Tensor", ["$0", ["$1"]]))
c("f32[10,8] i64[4]", ("aten.index.Tensor", ["$0", [None, "$1"]]))
c("f32[10,8] i64[10,2]", ("aten.gather", ["$0", 1, "$1"]))
c("f32[4,8] f32[8] f32[8]", ("aten.layer_norm", ["$0", [8], "$1", "$2"]))
c("bf16[4,8] bf16[8] bf16[8]", ("aten.layer_norm", ["$0", [8], "$1", "$2"]))
c("f32[4,8] f32[8]", ("aten.rms_norm", ["$0", [8], "$1"]))
c("bf16[4,8] bf16[8]", ("aten.rms_norm", ["$0", [8], "$1"]))
c("f32[4,8] f32[8]", ("aten.rms_norm", ["$0", [8], "$1", F(1e-6)]))
c("f32[4,8]", ("aten.glu", ["$0"]))
c("f32[4,8]", ("aten.dropout", ["$0", F(0.5), False]))
c("f32[4,8]", ("aten.constant_pad_nd.default", ["$0", [0, 0]]))
c("f32[4,8]", ("aten.pad", ["$0", [1, 1]]))
c("f32[1,3,8,8] f32[4,3,3,3]", ("aten.conv2d", ["$0", "$1"]))

if __name__ == "__main__":
    for case in CASES:
        print(json.dumps(run(case)))
    print(len(CASES), "cases", file=sys.stderr)
