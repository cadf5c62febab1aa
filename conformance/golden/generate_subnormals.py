"""Subnormal inputs by PyTorch (CPU), in the form of ops.json: what only moves, compares or picks must keep them.

usage: python3 generate_subnormals.py OUT_FILE SEED
bfloat16's subnormals are float32's, which WGSL lets a device take for zero in arithmetic: sums and products are left out.
"""
import base64, json, sys
import torch

out_file, seed = sys.argv[1], int(sys.argv[2])
g = torch.Generator().manual_seed(seed)
cases = []


def tensor(t):
    t = t.clone(memory_format=torch.contiguous_format)
    return {"dtype": str(t.dtype).replace("torch.", ""), "shape": list(t.shape), "stride": list(t.stride()),
            "data": base64.b64encode(t.flatten().view(torch.uint8).numpy().tobytes()).decode()}


def case(op, inputs, result, **attrs):
    cases.append({"op": f"aten.{op}", "attrs": attrs, "inputs": {k: tensor(v) for k, v in inputs.items()},
                  "outputs": {"result": tensor(result)}, "formula": "PyTorch's own", "note": "subnormals"})


def subnormal(*shape, dtype):
    x = ((torch.rand(*shape, generator=g) * 2 - 1) * torch.finfo(dtype).tiny).to(dtype)
    return torch.where(torch.rand(*shape, generator=g) < 0.1, torch.zeros((), dtype=dtype), x)


aten = torch.ops.aten
# Eights and single elements: each form of a shader.
for dtype, size in ((torch.bfloat16, 64), (torch.bfloat16, 13), (torch.float32, 64)):
    x, y = subnormal(3, size, dtype=dtype), subnormal(3, size, dtype=dtype)
    y[:, :4] = x[:, :4]
    both = {"self": x, "other": y}
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        case(f"{name}.Tensor", both, getattr(aten, name)(x, y))
    for name in ("logical_and", "logical_or", "logical_xor"):
        case(f"{name}.default", both, getattr(aten, name)(x, y))
    case("logical_not.default", {"self": x}, x.logical_not())
    sparse = x * 0
    sparse[1, 3] = x[x != 0][0]
    for name in ("any", "all"):
        case(f"{name}.dim", {"self": sparse}, getattr(aten, name)(sparse, 1), dim=1)
    case("argmax.default", {"self": x}, x.argmax(1), dim=1)
    case("argmin.default", {"self": x}, x.argmin(1), dim=1)
    if dtype == torch.float32:
        case("_to_copy.default", {"self": x}, x.bfloat16(), dtype="bfloat16")
        continue
    for name in ("clone", "neg", "abs", "relu", "sign", "floor", "ceil"):
        case(f"{name}.default", {"self": x}, getattr(aten, name)(x))
    case("maximum.default", both, x.maximum(y))
    case("minimum.default", both, x.minimum(y))
    case("clamp.default", {"self": x}, x.clamp(min=0), min=0)
    case("where.self", {"condition": x > y, **both}, torch.where(x > y, x, y))
    case("amax.default", {"self": x}, x.amax(1), dim=[1])
    case("amin.default", {"self": -x.abs()}, (-x.abs()).amin(1), dim=[1])
    # Signed zeros and NaN go the same ways.
    z = torch.tensor([0.0, -0.0, float("nan"), float("inf"), -float("inf"), 1.0, -1.0]).to(dtype)
    pairs = {"self": z.repeat(7), "other": z.repeat_interleave(7)}
    for name in ("eq", "ne", "lt", "ge"):
        case(f"{name}.Tensor", pairs, getattr(aten, name)(*pairs.values()))
    for name in ("maximum", "minimum"):
        case(f"{name}.default", pairs, getattr(aten, name)(*pairs.values()))
    for name in ("relu", "sign", "neg", "abs", "floor"):
        case(f"{name}.default", {"self": z}, getattr(aten, name)(z))

json.dump({"torch": torch.__version__, "seed": seed, "cases": cases}, open(out_file, "w"))
print(len(cases), "cases")
