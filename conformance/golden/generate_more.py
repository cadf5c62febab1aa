"""PyTorch (CPU) results of the quantized operators at odd sizes and on difficult values, in the format of ops.json.

usage: python3 generate_more.py OUT_FILE SEED [few]
The formulas are those of ops.json; the inputs differ: other sizes, and rows with subnormals, groups of equal
values, zeros, huge values, infinities and NaN. Left out are inputs whose result no formula says: int8 of NaN. `few`
records one case of each kind at small sizes: what more.json holds. It has no bfloat16 subnormals, which are float32
subnormals: WGSL allows an implementation to take those for zero.
"""
import base64, json, sys
import torch
import torch.nn.functional as F

out_file, seed = sys.argv[1], int(sys.argv[2])
g = torch.Generator().manual_seed(seed)
FP8, FMAX, EPS = torch.float8_e4m3fn, 448.0, 1e-6
cases = []


def tensor(t):
    raw = t.contiguous().view(torch.uint8).numpy().tobytes()
    return {"dtype": str(t.dtype).replace("torch.", ""), "shape": list(t.shape), "stride": list(t.stride()),
            "data": base64.b64encode(raw).decode()}


def case(op, attrs, inputs, outputs, note):
    cases.append({"op": op, "attrs": attrs, "inputs": {k: tensor(v) for k, v in inputs.items()},
                  "outputs": {k: tensor(v) for k, v in outputs.items()}, "formula": "as in ops.json", "note": note})


def rnd(*shape, scale=1.0, dtype):
    return (torch.randn(*shape, generator=g) * scale).to(dtype)


def to_fp8(x):
    return x.clamp(-FMAX, FMAX).to(FP8)


def plain(tokens, d, dtype):
    return rnd(tokens, d, scale=2.0, dtype=dtype)


def wide_range(tokens, d, dtype):
    """Magnitudes from far below to far above one, each row at its own."""
    x = torch.randn(tokens, d, generator=g)
    lo, hi = (-20.0, 6.0) if dtype == torch.float16 else (-60.0, 30.0)
    return (x * torch.exp2(torch.rand(tokens, 1, generator=g) * (hi - lo) + lo)).to(dtype)


def subnormal(tokens, d, dtype):
    tiny = torch.finfo(dtype).tiny
    return ((torch.rand(tokens, d, generator=g) * 2 - 1) * tiny * 0.9).to(dtype)


def equal_groups(tokens, d, dtype):
    x = torch.randn(tokens, -(-d // 32), generator=g).repeat_interleave(32, 1)[:, :d]
    x[:, : d // 4] = 0
    return x.to(dtype)


def powers(tokens, d, dtype):
    """448 and 1 times powers of two: scales that are powers of two already, and ties of the codes."""
    e = torch.randint(-12, 7, (tokens, d), generator=g).float()
    s = torch.randint(0, 2, (tokens, d), generator=g).float() * 2 - 1
    m = torch.tensor([1.0, 1.0625, 1.1875, 1.75])[torch.randint(0, 4, (tokens, d), generator=g)]
    return (s * m * torch.exp2(e)).to(dtype)


def huge(tokens, d, dtype):
    return (torch.randn(tokens, d, generator=g) * (torch.finfo(dtype).max / 8)).to(dtype)


def non_finite(tokens, d, dtype):
    x = torch.randn(tokens, d, generator=g)
    for i, v in enumerate((float("inf"), float("-inf"), float("nan"))):
        x[i % tokens, (i * 37 + 5) % d] = v
    return x.to(dtype)


KINDS = [plain, wide_range, subnormal, equal_groups, powers, huge, non_finite]


def activations(x, d, tokens, note):
    dtype = x.dtype
    gate, up = x[:, :d].float(), x[:, d:]
    act = (F.silu(gate).to(dtype) * up).to(dtype)
    case("_C.silu_and_mul", {}, {"input": x}, {"result": act}, note)
    s = torch.tensor([0.05])
    case("_C.static_scaled_fp8_quant", {}, {"input": act, "scale": s}, {"result": to_fp8(act.float() * (1.0 / s))}, note)
    wide = F.silu(gate) * up.float()
    case("_C.silu_and_mul_quant", {}, {"input": x, "scale": s}, {"result": to_fp8(wide * (1.0 / s))}, note)
    for gs in (32, 64, 128, 16):
        if d % gs:
            continue
        n = d // gs
        for ue8m0 in (False, True):
            grp = act.float().reshape(tokens, n, gs)
            sc = grp.abs().amax(-1).clamp_min(1e-10) / FMAX
            if ue8m0:
                sc = torch.exp2(torch.ceil(torch.log2(sc.abs().clamp_min(1e-10))))
            q = to_fp8(grp / sc[..., None]).reshape(tokens, d)
            for tr in (False, True):
                case("_C.per_token_group_fp8_quant",
                     {"group_size": gs, "eps": 1e-10, "fp8_min": -448.0, "fp8_max": 448.0, "scale_ue8m0": ue8m0,
                      "dummy_is_scale_transposed": tr},
                     {"input": act}, {"output_q": q, "output_s": sc.t().contiguous().t() if tr else sc}, note)
        grp = wide.reshape(tokens, n, gs)
        for bound in (None, 0.01):
            ub = {} if bound is None else {"scale_ub": torch.tensor([bound])}
            sc = grp.abs().amax(-1) / FMAX
            if bound is not None:
                sc = sc.clamp_max(bound)
            sc = sc.clamp_min(1.0 / (FMAX * 512.0))
            for tr in (False, True):
                attrs = {"group_size": gs, "is_scale_transposed": tr}
                if bound is None:
                    attrs["scale_ub"] = None
                case("_C.silu_and_mul_per_block_quant", attrs, {"input": x, **ub},
                     {"out": to_fp8(grp / sc[..., None]).reshape(tokens, d), "scales": sc.t().contiguous().t() if tr else sc},
                     note)


def norms(x, d, tokens, note, finite):
    dtype = x.dtype
    w, r = rnd(d, scale=0.5, dtype=dtype), rnd(tokens, d, dtype=dtype)
    xf = x.float()
    n = (xf * torch.rsqrt(xf.pow(2).mean(-1, keepdim=True) + EPS)).to(dtype) * w
    case("_C.rms_norm", {"epsilon": EPS}, {"input": x, "weight": w}, {"result": n}, note)
    z = x + r
    zf = z.float()
    n2 = (zf * torch.rsqrt(zf.pow(2).mean(-1, keepdim=True) + EPS)).to(dtype) * w
    case("_C.fused_add_rms_norm", {"epsilon": EPS}, {"input": x, "residual": r, "weight": w},
         {"input_out": n2, "residual_out": z}, note)
    s = torch.tensor([0.05])
    case("_C.rms_norm_static_fp8_quant", {"epsilon": EPS}, {"input": x, "weight": w, "scale": s},
         {"result": to_fp8(n.float() * (1.0 / s))}, note)
    for y in (n, x):
        whole = y.float().abs().amax().reshape(1) / FMAX
        if finite and bool(whole > 0):
            case("_C.dynamic_scaled_fp8_quant", {}, {"input": y},
                 {"result": to_fp8(y.float() * (1.0 / whole)), "scale": whole}, note)
        sc = (y.float().abs().amax(-1, keepdim=True) / FMAX).clamp_min(1.0 / (FMAX * 512.0))
        case("_C.dynamic_per_token_scaled_fp8_quant", {"scale_ub": None}, {"input": y},
             {"result": to_fp8(y.float() / sc), "scale": sc}, note)
        ub = torch.tensor([0.5])
        bounded = (y.float().abs().amax(-1, keepdim=True).clamp_max(0.5) / FMAX).clamp_min(1.0 / (FMAX * 512.0))
        case("_C.dynamic_per_token_scaled_fp8_quant", {}, {"input": y, "scale_ub": ub},
             {"result": to_fp8(y.float() / bounded), "scale": bounded}, note)
        if finite:
            for v in (0.02, 1.0):
                si = torch.tensor([v])
                case("_C.static_scaled_int8_quant", {"azp": None}, {"input": y, "scale": si},
                     {"result": torch.round(y.float() / si).clamp(-128, 127).to(torch.int8)}, note)
            dynamic_int8(y, note)
        if d % 32 == 0:
            zb = y.float().reshape(tokens, d // 32, 32)
            e = torch.floor(torch.log2(zb.abs().amax(-1).clamp_min(2.0 ** -126))) - 8
            if finite:
                case("npu.npu_dynamic_mx_quant", {"dst_type": "float8_e4m3fn", "block_size": 32}, {"input": y},
                     {"output": to_fp8(zb / torch.exp2(e)[..., None]).reshape(tokens, d),
                      "mxscale": (e + 127).clamp(0, 254).to(torch.uint8)}, note)


def dynamic_int8(y, note):
    x = y.float()
    peak = x.abs().amax(-1, keepdim=True)
    inverse = torch.where(peak == 0, torch.zeros_like(peak), torch.full_like(peak, 127.0) / peak)
    case("_C.dynamic_scaled_int8_quant", {}, {"input": y},
         {"result": torch.round(x * inverse).clamp(-128, 127).to(torch.int8), "scale": peak / 127.0}, note)
    low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
    s = (high - low) / 255.0
    if not bool(torch.isfinite(1.0 / s).all()):
        return
    azp = torch.round(-128.0 - low / s).to(torch.int32)
    q = (torch.round(x * (1.0 / s)).clamp(-1e9, 1e9).to(torch.int64) + azp).clamp(-128, 127).to(torch.int8)
    case("_C.dynamic_scaled_int8_quant", {}, {"input": y}, {"result": q, "scale": s, "azp": azp}, note)
    one, point = torch.tensor([0.03]), torch.tensor([-7], dtype=torch.int32)
    q = (torch.round(x * (1.0 / one)).clamp(-1e9, 1e9).to(torch.int64) + point).clamp(-128, 127).to(torch.int8)
    case("_C.static_scaled_int8_quant", {}, {"input": y, "scale": one, "azp": point}, {"result": q}, note)


def swiglu(m, k, n, dtype, note):
    a, b = rnd(m, k, dtype=dtype), rnd(k, 2 * n, scale=0.2, dtype=dtype)
    mm = (a.float() @ b.float()).to(dtype)
    case("sgl.fused_swiglu", {}, {"x": a, "w": b}, {"out": (F.silu(mm[:, :n].float()).to(dtype) * mm[:, n:]).to(dtype)},
         note)


def record(tokens, d, kind, dtype):
    note = f"{kind.__name__}, seed {seed}"
    activations(kind(tokens, 2 * d, dtype), d, tokens, note)
    norms(kind(tokens, d, dtype), d, tokens, note, kind is not non_finite and kind is not huge)


if sys.argv[3:] == ["few"]:
    halves = {wide_range: torch.float16, subnormal: torch.float16, huge: torch.float16}
    for kind in KINDS:
        for tokens, d in ((2, 192), (3, 77)):
            record(tokens, d, kind, halves.get(kind, torch.bfloat16))
    swiglu(5, 48, 20, torch.float16, f"seed {seed}")
    seen = set()
    for c in list(cases):
        key = (c["op"], c["note"], c["inputs"].get("input", {}).get("shape", [0])[-1] % 8 == 0, *c["outputs"],
               *c["inputs"], *(k for k, v in c["attrs"].items() if v is True))
        if key in seen:
            cases.remove(c)
        seen.add(key)
    # Peaks that several elements of a group share.
    first = len(cases)
    for kind in (powers, huge):
        activations(kind(7, 1280, torch.bfloat16), 640, 7, f"{kind.__name__}, shared peaks, seed {seed}")
    cases[first:] = [c for c in cases[first:] if c["op"] == "_C.silu_and_mul_per_block_quant"
                     and c["attrs"] == {"group_size": 32, "is_scale_transposed": False, "scale_ub": None}]
else:
    for dtype in (torch.bfloat16, torch.float16):
        for tokens, d in ((1, 128), (5, 192), (7, 640), (2, 77), (3, 1000), (17, 384), (4, 24), (1, 2048), (13, 64), (2, 8),
                          (1, 1)):
            for kind in KINDS:
                record(tokens, d, kind, dtype)
        for m, k, n in ((1, 7, 5), (33, 48, 20), (16, 130, 64), (3, 512, 17)):
            swiglu(m, k, n, dtype, f"seed {seed}")
json.dump({"torch": torch.__version__, "seed": seed, "cases": cases}, open(out_file, "w"))
print(len(cases))
