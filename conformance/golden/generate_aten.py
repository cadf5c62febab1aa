"""Small results of aten operators by PyTorch (CPU), in the form of ops.json.

usage: python3 generate_aten.py OUT_FILE [SEED]
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


def case(op, tensors, attrs=None, names=("result",), args=None):
    """tensors: by schema name. args: the call's arguments if it is not op(*tensors, **attrs)."""
    attrs = attrs or {}
    packet, overload = op.split(".")[1], op.split(".")[2]
    fn = getattr(getattr(A, packet), overload)
    out = fn(*args) if args is not None else fn(*tensors.values(), **attrs)
    outs = out if isinstance(out, (tuple, list)) else [out]
    said = {k: (str(v).replace("torch.", "") if isinstance(v, torch.dtype) else v) for k, v in attrs.items()}
    cases.append({"op": op, "attrs": said, "inputs": {k: tensor(v) for k, v in tensors.items()},
                  "outputs": {n: tensor(o) for n, o in zip(names, outs)}, "formula": f"torch.ops.{op}", "note": ""})


def rnd(*s, dtype=torch.float32, scale=1.0):
    return (torch.randn(*s, generator=g) * scale).to(dtype)


for dtype in (torch.float32, torch.bfloat16, torch.float16):
    x, y, row, col = rnd(5, 24, dtype=dtype), rnd(5, 24, dtype=dtype), rnd(24, dtype=dtype), rnd(5, 1, dtype=dtype)
    odd = rnd(3, 7, dtype=dtype)
    pos = x.abs() + 0.1
    for name in "exp expm1 sin cos tanh sigmoid erf neg abs relu silu floor ceil round trunc sign reciprocal".split():
        case(f"aten.{name}.default", {"self": x})
    for name in "log log2 log1p sqrt rsqrt".split():
        case(f"aten.{name}.default", {"self": pos})
    case("aten.tanh.default", {"self": odd})
    case("aten.exp.default", {"self": rnd(4, 6, dtype=dtype).t()})
    case("aten.gelu.default", {"self": x})
    case("aten.gelu.default", {"self": x}, {"approximate": "tanh"})
    for name in "mul add sub div maximum minimum fmod remainder".split():
        over = "Tensor" if hasattr(getattr(A, name), "Tensor") else "default"
        case(f"aten.{name}.{over}", {"self": x, "other": y})
        case(f"aten.{name}.{over}", {"self": x, "other": row})
        case(f"aten.{name}.{over}", {"self": col, "other": row})
    case("aten.add.Tensor", {"self": x, "other": y}, {"alpha": 0.5})
    case("aten.mul.Tensor", {"self": x, "other": rnd(24, 5, dtype=dtype).t()})
    case("aten.mul.Tensor", {"self": x, "other": rnd(5, 24)})
    case("aten.mul.Scalar", {"self": odd}, {"other": 0.37}, args=(odd, 0.37))
    case("aten.pow.Tensor_Scalar", {"self": x}, {"exponent": 2}, args=(x, 2))
    case("aten.pow.Tensor_Scalar", {"self": pos}, {"exponent": 1.7}, args=(pos, 1.7))
    case("aten.div.Tensor_mode", {"self": x, "other": y}, {"rounding_mode": "floor"})
    for name in "eq ne lt le gt ge".split():
        case(f"aten.{name}.Scalar", {"self": x}, {"other": 0.25}, args=(x, 0.25))
        case(f"aten.{name}.Tensor", {"self": x, "other": row})
    case("aten.where.self", {"condition": x > 0, "self": x, "other": row}, args=(x > 0, x, row))
    case("aten.clamp.default", {"self": x}, {"min": -0.5, "max": 0.75})
    case("aten.clamp_min.default", {"self": x}, {"min": 0.1}, args=(x, 0.1))
    case("aten.addcmul.default", {"self": x, "tensor1": y, "tensor2": row}, {"value": 0.5})
    for d in ([0], [1], [-1], [0, 1]):
        for keep in (False, True):
            case("aten.sum.dim_IntList", {"self": x}, {"dim": d, "keepdim": keep})
            case("aten.mean.dim", {"self": x}, {"dim": d, "keepdim": keep})
            case("aten.amax.default", {"self": x}, {"dim": d, "keepdim": keep})
    x3 = rnd(2, 3, 8, dtype=dtype)
    case("aten.sum.dim_IntList", {"self": x3}, {"dim": [0, 2], "keepdim": False})
    case("aten.amin.default", {"self": x3}, {"dim": [1], "keepdim": True})
    case("aten.sum.default", {"self": x3})
    case("aten.argmax.default", {"self": x}, {"dim": 1})
    case("aten.max.dim", {"self": x}, {"dim": 1}, ("values", "indices"))
    case("aten.var_mean.correction", {"self": x}, {"dim": [1], "correction": 0, "keepdim": True}, ("variance", "mean"))
    case("aten.var.correction", {"self": x}, {"dim": [1]}, ("variance",))
    case("aten._softmax.default", {"self": x}, {"dim": -1, "half_to_float": False})
    case("aten._log_softmax.default", {"self": x3}, {"dim": 1, "half_to_float": False})
    case("aten.cumsum.default", {"self": x}, {"dim": 1})
    case("aten.mm.default", {"self": rnd(5, 16, dtype=dtype), "mat2": rnd(16, 9, dtype=dtype)})
    case("aten.mm.default", {"self": rnd(33, 20, dtype=dtype), "mat2": rnd(18, 20, dtype=dtype).t()})
    case("aten.bmm.default", {"self": rnd(3, 5, 16, dtype=dtype), "mat2": rnd(3, 16, 9, dtype=dtype)})
    case("aten.addmm.default", {"self": rnd(9, dtype=dtype), "mat1": rnd(5, 16, dtype=dtype), "mat2": rnd(16, 9, dtype=dtype)})
    case("aten.addmm.default", {"self": rnd(9, dtype=dtype), "mat1": rnd(5, 16, dtype=dtype), "mat2": rnd(16, 9, dtype=dtype)}, {"beta": 0.5, "alpha": 2})
    ids = torch.randint(0, 11, (2, 3), generator=g)
    case("aten.embedding.default", {"weight": rnd(11, 6, dtype=dtype), "indices": ids})
    src = rnd(4, 6, dtype=dtype)
    pick = torch.tensor([3, 0, 2])
    case("aten.index_select.default", {"self": src, "index": pick}, {"dim": 1}, args=(src, 1, pick))
    at = torch.randint(0, 4, (2, 6), generator=g)
    case("aten.gather.default", {"self": src, "index": at}, {"dim": 0}, args=(src, 0, at))
    for to in (torch.float32, torch.bfloat16, torch.float16, torch.float8_e4m3fn, torch.int8, torch.int32, torch.bool):
        case("aten._to_copy.default", {"self": odd}, {"dtype": to})

i, j = torch.randint(-9, 9, (3, 5), generator=g), torch.randint(1, 9, (3, 5), generator=g)
for name in "add sub mul remainder".split():
    case(f"aten.{name}.Tensor", {"self": i, "other": j})
    case(f"aten.{name}.Tensor", {"self": i.int(), "other": j})
case("aten.div.Tensor", {"self": i, "other": j})
case("aten.bitwise_and.Tensor", {"self": i, "other": j})
case("aten.sum.dim_IntList", {"self": i}, {"dim": [1]})
case("aten.logical_not.default", {"self": i > 0})
case("aten.any.dim", {"self": i > 7}, {"dim": 1})
json.dump({"torch": torch.__version__, "cases": cases}, open(sys.argv[1], "w"))
print(len(cases))
