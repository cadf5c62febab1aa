"""Further aten operators by PyTorch (CPU), in the form of ops.json: orders, windows, mixtures of experts, rounding.

usage: python3 generate_rarer.py OUT_FILE [SEED]
"""
import base64, json, sys
import torch

A = torch.ops.aten
g = torch.Generator().manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
cases = []


def tensor(t):
    raw = t.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    return {"dtype": str(t.dtype).replace("torch.", ""), "shape": list(t.shape), "stride": list(t.stride()),
            "data": base64.b64encode(raw).decode()}


def case(op, tensors, attrs, args, names=("result",), note=""):
    packet, overload = op.split(".")[1:3]
    out = getattr(getattr(A, packet), overload)(*args)
    record(op, tensors, attrs, dict(zip(names, out if isinstance(out, (tuple, list)) else [out])), note)


def record(op, tensors, attrs, outputs, note=""):
    said = {k: (str(v).replace("torch.", "") if isinstance(v, torch.dtype) else v) for k, v in attrs.items()}
    cases.append({"op": op, "attrs": said, "inputs": {k: tensor(v) for k, v in tensors.items()},
                  "outputs": {n: tensor(o) for n, o in outputs.items()}, "formula": f"torch.ops.{op}", "note": note})


def rnd(*s, dtype=torch.float32):
    return torch.randn(*s, generator=g).to(dtype)


NAN = float("nan")
for dtype in (torch.float32, torch.bfloat16, torch.float16):
    x = rnd(5, 37, dtype=dtype)
    x[0, 3] = x[0, 9] = x[0, 20]
    x[1, 4], x[1, 30], x[2, 5], x[2, 6] = NAN, float("inf"), -0.0, 0.0
    for dim in (-1, 0):
        for down in (False, True):
            values, indices = torch.sort(x, stable=True, dim=dim, descending=down)
            record("aten.sort.stable", {"self": x}, {"stable": True, "dim": dim, "descending": down},
                   {"values": values, "indices": indices})
            record("aten.argsort.stable", {"self": x}, {"stable": True, "dim": dim, "descending": down},
                   {"result": indices})
    # topk leaves the order of equals open: none are equal here.
    distinct = torch.randperm(120, generator=g).reshape(4, 30).to(dtype) - 60
    for k in (1, 3, 30):
        for largest in (True, False):
            case("aten.topk.default", {"self": distinct}, {"k": k, "dim": -1, "largest": largest},
                 (distinct, k, -1, largest), ("values", "indices"))
    case("aten.topk.default", {"self": distinct.t()}, {"k": 2, "dim": 0}, (distinct.t(), 2, 0), ("values", "indices"))
    counted = torch.randint(-3, 12, (7, 9), generator=g).to(dtype)
    case("aten.histc.default", {"self": counted}, {"bins": 8, "min": 0, "max": 8}, (counted, 8, 0, 8))
    img, w, b = rnd(2, 3, 9, 8, dtype=dtype), rnd(4, 3, 3, 2, dtype=dtype), rnd(4, dtype=dtype)
    conv = ("stride", "padding", "dilation", "transposed", "output_padding", "groups")
    for options in (([1, 1], [0, 0], [1, 1], False, [0, 0], 1), ([2, 1], [1, 2], [2, 1], False, [0, 0], 1)):
        case("aten.convolution.default", {"input": img, "weight": w, "bias": b}, dict(zip(conv, options)),
             (img, w, b, *options))
    grouped = rnd(6, 1, 3, 3, dtype=dtype)
    wide = rnd(1, 6, 5, 5, dtype=dtype)
    options = ([1, 1], [1, 1], [1, 1], False, [0, 0], 6)
    case("aten.convolution.default", {"input": wide, "weight": grouped}, dict(zip(conv, options)),
         (wide, grouped, None, *options))
    line, taps = rnd(2, 4, 11, dtype=dtype), rnd(3, 4, 5, dtype=dtype)
    options = ([2], [2], [1], False, [0], 1)
    case("aten.convolution.default", {"input": line, "weight": taps}, dict(zip(conv, options)),
         (line, taps, None, *options))
    for size, stride, padding, ceil in (([3, 3], [2, 2], [1, 1], False), ([2, 3], [2, 2], [1, 1], True)):
        case("aten.max_pool2d_with_indices.default", {"self": img},
             {"kernel_size": size, "stride": stride, "padding": padding, "ceil_mode": ceil},
             (img, size, stride, padding, [1, 1], ceil), ("out", "indices"))

for dtype in (torch.float32, torch.bfloat16):
    x = rnd(3, 4, dtype=dtype)
    case("aten.repeat.default", {"self": x}, {"repeats": [2, 1, 3]}, (x, [2, 1, 3]))
    case("aten.constant_pad_nd.default", {"self": x}, {"pad": [1, 2, -1, 3], "value": 0.5}, (x, [1, 2, -1, 3], 0.5))
whole = torch.randint(-99, 99, (5, 3), generator=g)
case("aten.__rshift__.Scalar", {"self": whole}, {"other": 2}, (whole, 2))
case("aten.__lshift__.Scalar", {"self": whole}, {"other": 3}, (whole, 3))

# Products of quantized matrices: float64 over the decoded codes, scaled and rounded once.
for codes, one in ((torch.float8_e4m3fn, True), (torch.float8_e4m3fn, False), (torch.int8, False)):
    m, k, n = 5, 48, 20
    a, b = (torch.randn(s, generator=g) * 20 for s in ((m, k), (n, k)))
    a, b = (t.clamp(-127, 127).to(codes) for t in (a, b))
    sa, sb = (torch.rand(1 if one else s, 1, generator=g) * 0.1 + 0.01 for s in (m, n))
    bias = rnd(n, dtype=torch.bfloat16)
    acc = (a.double() @ b.double().t()).float()
    for added in (None, bias):
        out = sa * (sb.t() * acc) + (0 if added is None else added.float())
        extra = {} if added is None else {"bias": added}
        name = "int8" if codes == torch.int8 else "fp8"
        record(f"sgl_kernel.{name}_scaled_mm", {"mat_a": a, "mat_b": b.t(), "scales_a": sa, "scales_b": sb, **extra},
               {"out_dtype": torch.bfloat16}, {"result": out.to(torch.bfloat16)})
        record("_C.cutlass_scaled_mm", {"a": a, "b": b.t(), "a_scales": sa, "b_scales": sb.t(), **extra}, {},
               {"out": out.to(torch.bfloat16)})

for dtype in (torch.bfloat16,):
    a, b = rnd(12, 16, dtype=dtype), rnd(3, 16, 8, dtype=dtype)
    for ends in ([4, 7, 12], [0, 5, 12], [12, 12, 12]):
        offs = torch.tensor(ends, dtype=torch.int32)
        case("aten._grouped_mm.default", {"self": a, "mat2": b, "offs": offs}, {}, (a, b, offs))

# float32 to the 16-bit formats: ties, subnormals of both, the largest values, infinities, NaN, both zeros.
def bits(values):
    return torch.tensor(values, dtype=torch.int64).to(torch.int32).view(torch.float32)

edges = []
for target in (torch.bfloat16, torch.float16):
    codes = torch.cat([torch.arange(0, 64), torch.arange(0x03C0, 0x0420), torch.arange(0x3F80, 0x3FA0),
                       torch.arange(0x7BE0, 0x7C00 if target == torch.float16 else 0x7C20), torch.arange(0x7F60, 0x7F80)])
    values = codes.to(torch.int16).view(target).float()
    values = values[torch.isfinite(values)]
    edges.append(values)
    step = 1 << (16 if target == torch.bfloat16 else 13)
    for off in (1, step // 2 - 1, step // 2, step // 2 + 1, step - 1):
        moved = (values.view(torch.int32) + off).view(torch.float32)
        edges.append(moved)
tiny = bits(list(range(1, 40)) + [0x7FFF, 0x8000, 0x8001, 0x17FFF, 0x18000, 0x33000000, 0x33000001, 0x32FFFFFF,
                                   0x38FFFFFF, 0x387FE000, 0x387FF000, 0x477FEFFF, 0x477FF000, 0x7F7FFFFF, 0x7F800000,
                                   0x7FC00000, 0])
random = torch.randint(-2 ** 31, 2 ** 31, (4000,), generator=g).to(torch.int32).view(torch.float32)
x = torch.cat([*edges, tiny, random])
x = torch.cat([x, -x])
for target in (torch.bfloat16, torch.float16):
    record("aten._to_copy.default", {"self": x}, {"dtype": target}, {"result": x.to(target)}, "float32 edges")
# Whole programs: x[:, i, j] and its like take several tensors, which one call of runOp cannot.
programs = []


def program(name, tensors, target, args, result):
    """args: JSON as src/gpu/types.ts has it (RunValue)."""
    meta = lambda t: {"kind": "tensor", "dtype": str(t.dtype).replace("torch.", ""), "shape": list(t.shape),
                      "stride": list(t.stride()), "device": None}
    node = {"name": "out", "target": target, "args": args, "kwargs": {}, "meta": meta(result)}
    programs.append({
        "name": name, "values": {k: tensor(v) for k, v in tensors.items()}, "expected": {"out": tensor(result)},
        "program": {"inputs": [{"name": k, "meta": meta(v)} for k, v in tensors.items()], "nodes": [node],
                    "outputs": ["out"]}})


ref = lambda name: {"node": name}
for dtype in (torch.float32, torch.bfloat16):
    x = rnd(4, 5, 6, dtype=dtype)
    i, j, k = (torch.randint(-n, n, s, generator=g) for n, s in ((4, (3, 1)), (5, (2,)), (6, (3, 2))))
    program("x[i, j]", {"x": x, "i": i, "j": j}, "aten.index.Tensor", [ref("x"), {"list": [ref("i"), ref("j")]}], x[i, j])
    program("x[:, j, k]", {"x": x, "j": j, "k": k}, "aten.index.Tensor",
            [ref("x"), {"list": [None, ref("j"), ref("k")]}], x[:, j, k])
    program("x[i, j, k]", {"x": x, "i": i, "j": j, "k": k}, "aten.index.Tensor",
            [ref("x"), {"list": [ref("i"), ref("j"), ref("k")]}], x[i, j, k])
    turned = x.permute(2, 0, 1)
    program("permuted[k, i]", {"x": turned, "k": k, "i": i}, "aten.index.Tensor",
            [ref("x"), {"list": [ref("k"), ref("i")]}], turned[k, i])
    at, put = torch.tensor([3, 0, -3]), rnd(3, 5, 6, dtype=dtype)
    for accumulate in (False, True):
        program(f"index_put accumulate={accumulate}", {"x": x, "i": at, "v": put}, "aten.index_put.default",
                [ref("x"), {"list": [ref("i")]}, ref("v"), accumulate], torch.index_put(x, (at,), put, accumulate))
json.dump({"torch": torch.__version__, "cases": cases, "programs": programs}, open(sys.argv[1], "w"))
print(len(cases), len(programs))
