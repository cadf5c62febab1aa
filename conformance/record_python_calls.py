"""Records what fwd_only traces of Python as people write it, next to record_traces.py's single operator calls.

    chroot DIR python3 - < conformance/record_python_calls.py > conformance/python_calls.jsonl    (DIR: PyTorch 2.14.1)
    chroot DIR python3 record_python_calls.py - < LINES > calls.jsonl    lines of your own, of fuzz/calls.py say

A line of CASES is `inputs | body`: inputs are a, b, c, … in order, `f32[4,8]` or `f32[4,8](1,4)` (strides), and the
body is Python whose last statement is returned. A dimension N, M, or 2*N, is dynamic: the symbols then go in front of
the arguments, as the specific re-trace of register_replacement passes them, and `inputs` in the recording name them
by the symbols that PyTorch gave.
"""
import json
import logging
import math
import operator
import re
import sys
import warnings

import torch
import torch.nn.functional as F
from torch._dynamo.source import ConstantSource
from torch._inductor.pattern_matcher import fwd_only
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

warnings.filterwarnings("ignore")
logging.disable(50)
SHORT = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "f16": torch.float16, "i64": torch.int64,
         "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "b8": torch.bool,
         "f8e4m3fn": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2, "c64": torch.complex64}
HINTS = {"N": 16, "M": 24}
NAMES = {v: k for k, v in SHORT.items()}


def describe(v):
    if isinstance(v, torch.Tensor):
        stride = tuple(v.stride())
        return f"{NAMES.get(v.dtype, v.dtype)}{list(v.shape)}{stride}".replace(" ", "")
    if isinstance(v, (list, tuple)):
        return [describe(x) for x in v]
    return str(v).replace(" ", "")


def source(body):
    """The function's text: the last statement is returned."""
    *before, last = [part.strip() for part in body.split(";;")]
    return before + [f"return {last}"]


def tensor(text, dim):
    m = re.fullmatch(r"(\w+)\[([^\]]*)\](?:\(([^)]*)\))?", text)
    dims = lambda s: [dim(x.strip()) for x in s.split(",") if x.strip()]
    if m[3] is None:
        return torch.empty(dims(m[2]), dtype=SHORT[m[1]])
    return torch.empty_strided(dims(m[2]), dims(m[3]), dtype=SHORT[m[1]])


def run(line):
    given, _, body = (part.strip() for part in line.partition("|"))
    inputs = given.split()
    letters = [c for c in "NM" if any(c in t for t in inputs)]
    env = ShapeEnv() if letters else None
    lines = source(body)
    names = [chr(97 + i) for i in range(len(inputs))]
    scope = {"torch": torch, "F": F, "math": math, "operator": operator, "aten": torch.ops.aten, "prims": torch.ops.prims}
    exec(f"def fn({', '.join(names)}):\n  " + "\n  ".join(lines), scope)
    symbols = []
    for letter in letters:
        hint, origin = HINTS[letter], ConstantSource(letter.lower())
        symbol = env.create_symbol(hint, origin, dynamic_dim=DimDynamic.DYNAMIC, constraint_dim=None)
        symbols.append(env.create_symintnode(symbol, hint=hint, source=origin))
    scope["traced"] = scope["fn"]
    if symbols:
        first = ", ".join(f"s{i}" for i in range(len(symbols)))
        exec(f"def traced({first}, {', '.join(names)}):\n  return fn({', '.join(names)})", scope)
    case = {"inputs": inputs, "py": lines}
    if symbols:
        case |= {"symbol": str(symbols[0])} if len(symbols) == 1 else {"symbols": [str(s) for s in symbols]}

    def dim(text):
        return int(text) if text.isdigit() else eval(text, dict(zip(letters, symbols)))

    try:
        with FakeTensorMode(shape_env=env):
            tensors = [tensor(t, dim) for t in inputs]
            if symbols:
                case["inputs"] = [describe(t).replace(",)", ")") for t in tensors]
            args = symbols + tensors
            gm = fwd_only(scope["traced"], args)
    except Exception as e:
        return {**case, "error": f"{type(e).__name__}: {e}".split("\n")[0][:200]}
    vals = {n.name: describe(n.meta["val"]) for n in gm.graph.nodes if "val" in n.meta}
    return {**case, "graph": str(gm.graph), "vals": vals}


CASES = r"""
f32[4,8] | a[0]
f32[4,8] | a[:, :3]
f32[4,8] | a[..., 4:] * a[..., :4]
f32[4,8] | a[1:3, 2]
f32[4,8] | a[None, :, None]
f32[4,8] | a[:, ::2]
f32[4,8] | a[..., 1::2]
f32[4,8] | a[-2:]
f32[4,8] | a[0:4]
f32[2,4,8] | a[:, -1, :]
f32[2,4,8] | a[0, ..., 1]
f32[2,4,8] | a[:, 0] + a[:, 1]
f32[4,8] i64[3] | a[b]
f32[4,8] i64[3] | a[:, b]
f32[4,8] i64[3] i64[3] | a[b, c]
f32[2,4,8] i64[3] i64[3] | a[b, :, c]
f32[2,4,8] i64[3,1] i64[2] | a[:, b, c]
f32[2,4,8] i64[3] | a[0, :, b]
f32[4,8] i64[3] | a[b, None]
f32[4,8] b8[4,8] | torch.where(b, a, 0)
f32[4,8] b8[4,8] | torch.where(b, a, float('-inf'))
bf16[4,8] b8[4,8] | torch.where(b, a, 1.0)
f32[4,8] b8[4,8] | torch.where(b, 1.0, a)
i64[4,8] b8[4,8] | torch.where(b, a, -1)
f32[4,8] f32[8] | torch.where(a > 0, a, b)
f32[4,8] f32[4,8] | a + b * 2 - 1
f32[4,8] | 1 - a
f32[4,8] | 2 / a
f32[4,8] | 2.0 ** a
f32[4,8] | a ** 2
f32[4,8] | a ** 0.5
f32[4,8] | a ** -1
f32[4,8] | a // 2
f32[4,8] | a % 3
f32[4,8] | -a + abs(a)
i64[4,8] | a / 2
i64[4,8] | a // 2 + a % 2
i64[4,8] | a * 2.5
i64[4,8] | (a >> 4) & 15
i32[4,8] | (a << 2) | 1
u8[4,8] | (a & 0x0F).to(torch.int8) - 8
u8[4,8] | torch.stack([a & 0xF, a >> 4], dim=-1).view(4, 16)
i8[4,8] f32[4,1] | a.to(torch.float32) * b
i8[4,8] f32[4,1] | a * b
i8[4,8] bf16[1] | a.to(b.dtype) * b
b8[4] b8[4] | ~(a & b) | (a ^ b)
b8[4] | a.sum()
b8[4] | a.float().mean()
b8[4,8] | a.any(-1)
b8[4,8] | a.all(dim=1, keepdim=True)
b8[4,8] | torch.logical_not(a)
f32[4,8] bf16[4,8] | a + b
f16[4,8] bf16[4,8] | a + b
bf16[4,8] f32[] | a * b
bf16[4,8] i64[4,8] | a * b
f8e4m3fn[4,8] | a.to(torch.bfloat16)
f8e4m3fn[4,8] f32[1] | a.float() * b
f32[4,8] | (a / 448.0).clamp(-448, 448).to(torch.float8_e4m3fn)
f32[4,8] | a > 0
f32[4,8] f32[4,8] | (a >= b) & (a != 0)
f32[4,8] f32[4,8] | torch.eq(a, b)
f32[4,8] f32[4,8] | torch.maximum(a, b) + torch.minimum(a, b)
f32[4,8] f32[4,8] | torch.max(a, b)
f32[4,8] | torch.max(a, dim=-1)
f32[4,8] | torch.max(a, -1, keepdim=True)[0]
f32[4,8] | a.max(dim=1).values
f32[4,8] | a.min(1)[1]
f32[4,8] | torch.max(a)
f32[4,8] | a.amax(dim=(0, 1))
f32[4,8] | torch.aminmax(a, dim=-1)
f32[4,8] | torch.aminmax(a)
f32[4,8] | a.abs().amax(dim=-1, keepdim=True).clamp(min=1e-12) / 448.0
f32[4,8] | a.sum()
f32[4,8] | a.sum(-1)
f32[4,8] | torch.sum(a, dim=(0, 1), keepdim=True)
bf16[4,8] | a.sum(-1, dtype=torch.float32)
i32[4,8] | a.sum(0)
f32[4,8] | a.mean()
bf16[4,8] | a.mean(-1, keepdim=True)
f32[4,8] | torch.mean(a, dim=[0], dtype=torch.float64)
f32[4,8] | a.var(-1)
f32[4,8] | a.var(-1, keepdim=True, unbiased=False)
f32[4,8] | a.var(dim=-1, correction=0)
f32[4,8] | a.var()
bf16[4,8] | a.var(-1)
f32[4,8] | a.std(-1)
bf16[4,8] | a.std(dim=-1, keepdim=True)
f32[4,8] | torch.std_mean(a, dim=-1)
f32[4,8] | torch.var_mean(a, dim=-1, keepdim=True)
f32[4,8] | torch.var_mean(a, [0, 1], correction=0)
f32[4,8] | a.prod(-1)
f32[4,8] | a.cumsum(-1)
i32[4,8] | a.cumsum(0)
f32[4,8] | torch.cumsum(a, dim=1, dtype=torch.float64)
f32[4,8] | a.cumprod(0)
f32[4,8] | a.logcumsumexp(1)
f32[4,8] | torch.cummax(a, 1)
f32[4,8] | a.logsumexp(-1)
f32[4,8] | torch.logsumexp(a, dim=(0, 1), keepdim=True)
bf16[4,8] | a.logsumexp(-1, keepdim=True)
f32[4,8] f32[4,8] | torch.logaddexp(a, b)
f32[4,8] f32[4,8] | torch.logaddexp2(a, b)
bf16[4,8] bf16[4,8] | torch.logaddexp(a, b)
f32[4,8] | a.norm()
f32[4,8] | a.norm(dim=-1, keepdim=True)
f32[4,8] | a.norm(p=1, dim=-1)
f32[4,8] | torch.norm(a, p=2, dim=-1)
bf16[4,8] | a.norm(2, -1, keepdim=True)
f32[4,8] | torch.norm(a, p=float('inf'), dim=-1)
f32[4,8] | torch.norm(a, p=3, dim=1)
f32[4,8] | torch.norm(a, p=0, dim=1)
f32[4,8] | torch.linalg.norm(a, dim=-1)
f32[4,8] | torch.linalg.vector_norm(a, dim=-1, keepdim=True)
f32[4,8] | torch.linalg.vector_norm(a, ord=float('inf'), dim=-1)
f32[4,8] | torch.linalg.vector_norm(a, ord=float('-inf'))
f32[4,8] | torch.linalg.vector_norm(a, ord=4, dim=0)
f32[4,8] | F.normalize(a)
f32[4,8] | F.normalize(a, dim=-1, eps=1e-6)
bf16[4,8] | F.normalize(a, p=2, dim=-1)
f32[4,8] | F.normalize(a, p=1.0, dim=0)
f32[4,8] | a.argmax(-1)
f32[4,8] | a.argmin()
f32[4,8] | a.argmax(dim=-1, keepdim=True)
f32[4,8] | torch.topk(a, 2)
f32[4,8] | torch.topk(a, k=2, dim=-1, sorted=False)
f32[4,8] | a.topk(3, dim=0, largest=False).indices
f32[4,8] | torch.sort(a, descending=True)
f32[4,8] | a.sort(dim=0, stable=True)[0]
f32[4,8] | torch.argsort(a, dim=-1)
f32[4,8] | a.argsort(dim=1, descending=True, stable=True)
f32[4,8] | a.kthvalue(2)[0]
f32[4,8] | a.median(-1)[0]
f32[4,8] | a.count_nonzero(-1)
f32[4,8] | F.silu(a)
bf16[4,8] | F.silu(a)
f32[4,8] | F.silu(a, inplace=True)
f32[4,8] | F.gelu(a)
bf16[4,8] | F.gelu(a, approximate='tanh')
bf16[4,8] | F.relu(a)
bf16[4,8] | F.relu(a).square()
f32[4,8] | F.relu(a, inplace=True) + 1
f32[4,8] | F.leaky_relu(a, 0.2)
bf16[4,8] | F.leaky_relu(a)
f32[4,8] | F.elu(a)
f32[4,8] | F.elu(a, alpha=0.5)
f32[4,8] | F.softplus(a)
bf16[4,8] | F.softplus(a, beta=2.0, threshold=10.0)
f32[4,8] | F.hardswish(a)
f32[4,8] | F.hardsigmoid(a)
bf16[4,8] | F.mish(a)
f32[4,8] | F.hardtanh(a, -2.0, 2.0)
f32[4,8] | F.relu6(a)
f32[4,8] | F.celu(a, 0.5)
f32[4,8] | F.selu(a)
f32[4,8] | F.glu(a)
f32[4,8] | F.glu(a, dim=0)
f32[4,8] | F.logsigmoid(a)
f32[4,8] | F.softsign(a)
f32[4,8] | F.tanhshrink(a)
f32[4,8] | F.hardshrink(a)
f32[4,8] | F.softshrink(a, 0.3)
f32[4,8] | F.threshold(a, 0.1, 20.0)
f32[4,8] f32[1] | F.prelu(a, b)
f32[4,8] f32[8] | F.prelu(a, b)
f32[4,8] | F.softmax(a, dim=-1)
bf16[4,8] | F.softmax(a, dim=-1, dtype=torch.float32).to(a.dtype)
bf16[4,8] | torch.softmax(a.float(), -1).to(torch.bfloat16)
f32[4,8] | F.log_softmax(a, dim=-1)
f32[4,8] | a.softmax(0)
f32[4,8] | F.softmin(a, dim=-1)
f32[4,8] | torch.tanh(a / 30.0) * 30.0
bf16[4,8] | 50.0 * torch.tanh(a / 50.0)
f32[4,8] | a.sigmoid() * a
f32[4,8] | torch.exp(a) / torch.exp(a).sum(-1, keepdim=True)
f32[4,8] | a.rsqrt() + a.sqrt() + a.reciprocal()
f32[4,8] | torch.clamp(a, 0, 1)
f32[4,8] | a.clamp(min=0.0)
f32[4,8] f32[8] | torch.clamp(a, min=b)
f32[4,8] | torch.clip(a, -1.0, 1.0)
f32[4,8] | a.clamp_min(1e-6).clamp_max(3)
f32[4,8] | torch.nan_to_num(a, nan=0.0)
f32[4,8] | a.round().trunc().floor().ceil()
f32[4,8] | a.frac() + a.sign()
f32[4,8] f32[4,8] | torch.lerp(a, b, 0.25)
f32[4,8] f32[4,8] | torch.addcmul(a, a, b, value=0.5)
f32[4,8] f32[4,8] | torch.addcdiv(a, a, b)
f32[4,8] f32[4,8] | torch.add(a, b, alpha=2)
f32[4,8] f32[4,8] | torch.sub(a, b, alpha=0.5)
f32[4,8] f32[4,8] | torch.div(a, b, rounding_mode='trunc')
f32[4,8] f32[4,8] | torch.fmod(a, b) + torch.remainder(a, b)
f32[4,8] f32[4,8] | torch.atan2(a, b)
f32[4,8] f32[4,8] | torch.hypot(a, b)
f32[4,8] f32[8] | torch.mul(a, b)
f32[4,8] f32[4,8] | a.add_(b)
f32[4,8] f32[4,8] | a.mul_(b).add_(1)
f32[4,8] f32[4,8] | a.copy_(b)
f32[4,8] | a.clone().fill_(0.0)
f32[4,8] | a.zero_()
f32[4,8] | a.clone().clamp_(0, 1)
f32[4,8] | a.sigmoid_()
f32[4,8] f32[4,8] | a.sub_(b, alpha=2)
f32[4,8] f32[4,8] | a.div_(b)
f32[4,8] f32[4] | a[:, 0] = b ;; a
f32[4,8] | a[0] = 0 ;; a + 1
f32[4,8] | x = a.clone() ;; x[:, 1:3] = 1.0 ;; x
f32[4,8] f32[4,8] | a += b ;; a
f32[4,8] f32[4,8] | x = a * 2 ;; x += b ;; x *= 3 ;; x
bf16[4,8] | a.float()
f32[4,8] | a.half().float()
f32[4,8] | a.to(torch.float16)
f32[4,8] | a.to(dtype=torch.bfloat16)
f32[4,8] bf16[2] | a.to(b)
f32[4,8] bf16[2] | a.to(b.dtype)
f32[4,8] | a.to('cpu')
f32[4,8] | a.to('cpu', torch.float16)
f32[4,8] | a.to(device=a.device, dtype=torch.int8)
f32[4,8] | a.to(torch.float16, copy=True)
f32[4,8] | a.to(torch.float32)
f32[4,8](1,4) | a.to(torch.bfloat16)
f32[4,8] | a.type(torch.float16)
f32[4,8] f16[2] | a.type_as(b)
f32[4,8] | a.long() + a.int() + a.bool()
f32[4,8] | a.double()
f32[4,8] | a.byte()
f32[4,8] | a.view(torch.int32)
bf16[4,8] | a.view(torch.uint8)
u8[4,8] | a.view(torch.float8_e4m3fn)
i32[4,8] | a.view(torch.bfloat16)
f32[4,8] | a.view(-1)
f32[4,8] | a.view(2, 2, 8).transpose(0, 1)
f32[4,8] | a.view(4, 2, 4).transpose(1, 2).reshape(4, 8)
f32[4,8](1,4) | a.reshape(-1)
f32[4,8] | a.reshape(2, -1, 4)
f32[4,8] | a.unflatten(-1, (2, 4))
f32[2,4,8] | a.flatten(0, 1)
f32[2,4,8] | a.flatten(1)
f32[2,4,8] | a.permute(0, 2, 1)
f32[2,4,8] | a.permute((2, 0, 1)).contiguous()
f32[2,4,8] | a.transpose(-1, -2)
f32[2,4,8] | a.mT @ a
f32[4,8] | a.t() @ a
f32[4,8] | a.T
f32[4,8] | a.unsqueeze(0).squeeze(0)
f32[4,1,8] | a.squeeze(1).unsqueeze(-1)
f32[4,1] | a.expand(4, 8)
f32[4,1] | a.expand(-1, 8) * 2
f32[8] f32[4,8] | a.expand_as(b)
f32[8] | torch.broadcast_to(a, (4, 8))
f32[8] f32[4,1] | torch.broadcast_tensors(a, b)
f32[4,8] | a.repeat(2, 1)
f32[4,8] | a.tile((2,))
f32[4,8] | torch.tile(a, (2, 1, 1))
f32[4,8] | a.repeat_interleave(2, dim=1)
f32[4,8] | torch.repeat_interleave(a, 3, dim=0)
f32[4,8] | a.repeat_interleave(2)
f32[2,2,4,8] | a[:, :, None, :, :].expand(2, 2, 3, 4, 8).reshape(2, 6, 4, 8)
f32[4,8] | a.split(4, -1)
f32[4,8] | x, y = a.split([6, 2], dim=-1) ;; x.sum(-1) + y.sum(-1)
f32[4,8] | x, y = a.chunk(2, dim=-1) ;; F.silu(x) * y
bf16[4,8] | x, y = a.chunk(2, dim=-1) ;; F.gelu(x) * y
f32[4,8] | x, y = torch.split(a, 4, dim=1) ;; x * F.gelu(y, approximate='tanh')
f32[4,8] | torch.chunk(a, 3, dim=1)
f32[3,8] | q, k, v = a.unbind(0) ;; q + k * v
f32[4,8] | torch.tensor_split(a, 3, dim=1)
f32[4,8] | a.narrow(-1, 2, 4)
f32[4,8] | a.select(1, -1)
f32[4,8] i64[2] | a.index_select(1, b)
f32[4,8] i64[4,2] | torch.gather(a, 1, b)
f32[4,8] i64[4,8] | a.gather(dim=-1, index=b)
f32[4,8] i64[4,2] f32[4,2] | a.scatter(1, b, c)
f32[4,8] i64[4,2] | a.scatter(1, b, 1.0)
f32[4,8] i64[4,2] f32[4,2] | a.scatter_(1, b, c)
f32[4,8] i64[4,2] f32[4,2] | a.scatter_add(1, b, c)
f32[4,8] i64[4,2] f32[4,2] | a.scatter_add_(1, b, c)
f32[4,8] i64[4,2] f32[4,2] | a.scatter_reduce(1, b, c, reduce='amax')
f32[4,8] i64[4,2] f32[4,2] | torch.scatter(a, 1, b, c)
f32[4,8] i64[4,2] | torch.zeros_like(a).scatter_(1, b, 1)
f32[4,8] i64[2] f32[2,8] | a.index_add(0, b, c)
f32[4,8] i64[2] f32[2,8] | a.index_add_(0, b, c)
f32[4,8] i64[2] f32[2,8] | a.index_copy(0, b, c)
f32[4,8] i64[2] | a.index_fill(0, b, 0.0)
f32[4,8] i64[2] f32[2,8] | a.index_put((b,), c)
f32[4,8] i64[2] f32[2,8] | a.index_put_((b,), c, accumulate=True)
f32[4,8] i64[2] f32[2,8] | a[b] = c ;; a
f32[4,8] b8[4,8] f32[32] | a.masked_scatter(b, c)
f32[4,8] b8[4,8] | a.masked_fill(b, float('-inf'))
f32[4,8] b8[4,8] | a.masked_fill_(b, 0)
f32[4,8] b8[4,8] f32[] | a.masked_fill(b, c)
f32[4,8] i64[5] | torch.take(a, b)
f32[4,8] i64[4,1] | torch.take_along_dim(a, b, dim=1)
f32[4,8] f32[4,2] | a.slice_scatter(b, 1, 0, 2)
f32[4,8] f32[8] | a.select_scatter(b, 0, 1)
f32[4,8] f32[4,8] | torch.cat([a, b], dim=-1)
f32[4,8] bf16[4,2] | torch.cat((a, b), -1)
f32[4,8] f32[4,8] | torch.stack([a, b], dim=1)
f32[4,8] f32[4,8] | torch.stack((a, b), -1).flatten(-2)
f32[4,8] f32[4,8] | torch.hstack([a, b]) + torch.concat([a, b], 1)
f32[4,8] f32[4,8] | torch.vstack([a, b])
f32[4,8] | torch.cat((-a[..., 4:], a[..., :4]), dim=-1)
f32[4,8] | a.roll(1, -1)
f32[4,8] | torch.roll(a, shifts=(1, 2), dims=(0, 1))
f32[4,8] | a.roll(3)
f32[4,8] | a.flip(-1)
f32[4,8] | torch.flip(a, dims=[0, 1])
f32[4,8] | a.tril()
f32[4,8] | torch.triu(a, diagonal=1)
f32[4,4] | torch.tril(torch.ones(4, 4, dtype=torch.bool))
f32[4,4] | a.masked_fill(torch.triu(torch.ones(4, 4), 1).bool(), float('-inf'))
f32[4,4] | torch.full((4, 4), float('-inf')).triu(1) + a
f32[4,4] | a.diagonal()
f32[4,4] | torch.diag(a)
f32[4] | torch.diag_embed(a)
f32[4,4] | torch.trace(a)
f32[4,8] | a.unfold(1, 4, 2)
i64[4] | F.one_hot(a, 8)
i64[4] | F.one_hot(a, num_classes=8).float()
i64[4] f32[10,8] | F.embedding(a, b)
i64[4,2] f32[10,8] | F.embedding(a, b, padding_idx=0)
f32[4] f32[6] | torch.outer(a, b)
f32[4] f32[6] | torch.einsum('i,j->ij', a, b)
f32[4] f32[4] | torch.dot(a, b)
f32[4,8] f32[8] | torch.mv(a, b)
f32[4,8] f32[8] | a @ b
f32[4] f32[4,8] f32[8] | torch.addmv(a, b, c)
f32[4] f32[4,8] f32[8] | torch.addmv(a, b, c, beta=0.5, alpha=2)
f32[4,6] f32[4] f32[6] | torch.addr(a, b, c)
f32[4,6] f32[4,8] f32[8,6] | torch.addmm(a, b, c)
f32[6] f32[4,8] f32[8,6] | torch.addmm(a, b, c, beta=2, alpha=0.5)
f32[2,4,6] f32[2,4,8] f32[2,8,6] | torch.baddbmm(a, b, c)
f32[2,4,6] f32[2,4,8] f32[2,8,6] | torch.baddbmm(a, b, c, beta=0.0, alpha=0.125)
f32[4,6] f32[2,4,8] f32[2,8,6] | torch.addbmm(a, b, c)
f32[4,8] f32[8,6] | torch.mm(a, b)
f32[2,4,8] f32[2,8,6] | torch.bmm(a, b)
f32[2,4,8] f32[8,6] | torch.matmul(a, b)
f32[2,3,4,8] f32[2,3,6,8] | torch.matmul(a, b.transpose(-1, -2))
f32[2,3,4,8] f32[2,3,6,8] | a @ b.transpose(2, 3) / 8 ** 0.5
bf16[4,8] bf16[6,8] | F.linear(a, b)
bf16[4,8] bf16[6,8] bf16[6] | F.linear(a, b, c)
f32[2,4,8] f32[6,8] f32[6] | F.linear(a, b, c)
f32[4,8] f32[5,6] f32[7,8,6] f32[7] | F.bilinear(a[:, :8], b[:4, :6].expand(4, 6), c, d)
f32[4,8] f32[6,8] | torch.einsum('ij,kj->ik', a, b)
f32[2,4,8] f32[2,8,6] | torch.einsum('bij,bjk->bik', a, b)
f32[2,4,3,8] f32[2,6,3,8] | torch.einsum('bqhd,bkhd->bhqk', a, b)
f32[2,3,4,6] f32[2,6,3,8] | torch.einsum('bhqk,bkhd->bqhd', a, b)
f32[2,4,8] f32[8,6] | torch.einsum('...d,de->...e', a, b)
f32[4,8] | torch.einsum('ij->ji', a)
f32[4,8] | torch.einsum('ij->i', a)
f32[4,4] | torch.einsum('ii->i', a)
f32[4,8] f32[4,8] | torch.einsum('ij,ij->', a, b)
f32[4,8] f32[4,8] | torch.einsum('ij,ij->ij', a, b)
f32[4] f32[6] f32[8] | torch.einsum('i,j,k->ijk', a, b, c)
f32[4,8] f32[8,6] f32[6,5] | torch.einsum('ij,jk,kl->il', a, b, c)
f32[4] f32[6] | torch.einsum('i,j', a, b)
f32[4,8] f32[6,8] | torch.inner(a, b)
f32[4,8] f32[8,6] | torch.tensordot(a, b, dims=1)
f32[4,8] f32[4,6] | torch.tensordot(a, b, dims=([0], [0]))
f32[2,3] f32[4,5] | torch.kron(a, b)
f32[4,8] f32[8] f32[8] | F.layer_norm(a, (8,), b, c, 1e-5)
f32[4,8] | F.layer_norm(a, [8])
bf16[4,8] bf16[8] bf16[8] | F.layer_norm(a, (8,), b, c, eps=1e-6)
bf16[4,8] bf16[8] | F.rms_norm(a, (8,), b, 1e-6)
f32[4,8] f32[8] | F.rms_norm(a, (8,), b)
f32[2,4,8] f32[4] f32[4] | F.group_norm(a, 2, b, c)
bf16[2,4,8] | F.group_norm(a, 2)
f32[2,4,3,3] f32[4] f32[4] | F.group_norm(a, 4, b, c, eps=1e-6)
f32[2,4,8] f32[4] f32[4] f32[4] f32[4] | F.batch_norm(a, b, c, d, e)
f32[2,4,8] f32[4] f32[4] | F.batch_norm(a, b, c, eps=1e-3)
bf16[2,4,3,3] bf16[4] bf16[4] bf16[4] bf16[4] | F.batch_norm(a, b, c, d, e)
f32[2,4,8] | F.instance_norm(a)
f32[1,3,8,8] f32[4,3,3,3] | F.conv2d(a, b)
f32[1,3,8,8] f32[4,3,3,3] f32[4] | F.conv2d(a, b, c, stride=2, padding=1)
f32[1,3,8,8] f32[4,3,3,3] | F.conv2d(a, b, padding='same')
f32[1,4,8] f32[4,1,3] f32[4] | F.conv1d(a, b, c, padding=2, groups=4)
f32[4,8] f32[4,4,3] | F.conv1d(a, b)
f32[1,3,8,8] f32[3,4,2,2] | F.conv_transpose2d(a, b, stride=2)
f32[1,3,8,8] | F.max_pool2d(a, 2)
f32[1,3,8,8] | F.max_pool2d(a, 3, stride=2, padding=1)
f32[1,3,8,8] | F.avg_pool2d(a, 2)
f32[1,3,8,8] | F.adaptive_avg_pool2d(a, 1)
f32[1,3,8,8] | F.adaptive_avg_pool2d(a, (2, 2))
f32[1,3,8] | F.max_pool1d(a, 2)
f32[1,3,8] | F.avg_pool1d(a, 2)
f32[1,3,4,4] | F.interpolate(a, scale_factor=2)
f32[1,3,4,4] | F.interpolate(a, size=(8, 8), mode='nearest')
f32[1,4,4,4] | F.pixel_shuffle(a, 2)
f32[1,1,4,4] | F.pixel_unshuffle(a, 2)
f32[4,8] | F.pad(a, (1, 1))
f32[4,8] | F.pad(a, (0, 1, 2, 0), value=1.0)
f32[2,4,8] | F.pad(a, (1, 2), mode='reflect')
f32[2,4,8] | F.pad(a, (1, 2), mode='replicate')
f32[4,8] | F.pad(a, (0, -2))
f32[4,8] | F.dropout(a, 0.1, training=False)
f32[4,8] | F.dropout(a, 0.1)
f32[4,8] | F.dropout(a, p=0.0, training=True)
f32[4,8] | F.dropout(a, 1.0)
f32[4,8] i64[4] | F.cross_entropy(a, b)
f32[4,8] i64[4] | F.cross_entropy(a, b, reduction='none')
f32[4,8] i64[4] | F.nll_loss(a, b)
f32[4,8] f32[4,8] | F.mse_loss(a, b)
f32[4,8] f32[4,8] | F.l1_loss(a, b, reduction='sum')
f32[4,8] f32[4,8] | F.smooth_l1_loss(a, b)
f32[4,8] f32[4,8] | F.huber_loss(a, b)
f32[4,8] f32[4,8] | F.kl_div(a, b, reduction='batchmean')
f32[4,8] f32[4,8] | F.binary_cross_entropy(a, b)
f32[4,8] f32[4,8] | F.binary_cross_entropy_with_logits(a, b)
f32[4,8] f32[4,8] | F.cosine_similarity(a, b, dim=-1)
f32[4,8] f32[4,8] | F.pairwise_distance(a, b)
f32[4,8] f32[6,8] | torch.cdist(a, b)
f32[2,3,4,8] f32[2,3,4,8] f32[2,3,4,8] | F.scaled_dot_product_attention(a, b, c)
f32[2,3,4,8] f32[2,3,6,8] f32[2,3,6,8] | F.scaled_dot_product_attention(a, b, c, scale=0.5)
f32[2,3,4,8] f32[2,3,4,8] f32[2,3,4,8] | F.scaled_dot_product_attention(a, b, c, is_causal=True)
f32[2,3,4,8] f32[2,3,6,8] f32[2,3,6,8] f32[4,6] | F.scaled_dot_product_attention(a, b, c, attn_mask=d)
f32[2,3,4,8] f32[2,3,6,8] f32[2,3,6,8] b8[4,6] | F.scaled_dot_product_attention(a, b, c, attn_mask=d)
f32[2,3,4,8] f32[2,3,6,8] f32[2,3,6,8] f32[2,1,4,6] | F.scaled_dot_product_attention(a, b, c, attn_mask=d, scale=1.0)
f32[2,4,4,8] f32[2,2,6,8] f32[2,2,6,8] | F.scaled_dot_product_attention(a, b, c, enable_gqa=True)
bf16[2,3,4,8] bf16[2,3,4,8] bf16[2,3,4,8] | F.scaled_dot_product_attention(a, b, c, is_causal=True)
f32[3,4,8] f32[3,4,8] f32[3,4,8] | F.scaled_dot_product_attention(a, b, c)
f32[2,3,4,8] f32[2,3,4,8] f32[2,3,4,8] | F.scaled_dot_product_attention(a, b, c, dropout_p=0.1)
f32[2,4,3,8] f32[2,4,3,8] f32[2,4,3,8] | F.scaled_dot_product_attention(a.transpose(1, 2), b.transpose(1, 2), c.transpose(1, 2)).transpose(1, 2)
f32[2,3,4,8] f32[2,3,4,8] f32[2,3,4,16] | F.scaled_dot_product_attention(a, b, c)
f32[2,3,4,8] f32[2,3,4,8] f32[2,3,4,8] | torch.ops.aten._scaled_dot_product_attention_math(a, b, c)
f32[2,3,4,8] f32[2,3,4,8] f32[2,3,4,8] | s = torch.matmul(a, b.transpose(2, 3)) * 0.35 ;; p = F.softmax(s, dim=-1, dtype=torch.float32).to(a.dtype) ;; torch.matmul(p, c)
bf16[2,3,4,8] bf16[2,3,4,8] bf16[2,3,4,8] f32[1,1,4,4] | s = torch.matmul(a, b.transpose(-2, -1)) / 2.83 + d ;; p = F.softmax(s, dim=-1, dtype=torch.float32).to(a.dtype) ;; torch.matmul(p, c).transpose(1, 2).contiguous().view(2, 4, 24)
bf16[4,8] bf16[8] | x = a.float() ;; v = x.pow(2).mean(-1, keepdim=True) ;; x = x * torch.rsqrt(v + 1e-6) ;; b * x.to(a.dtype)
bf16[4,8] bf16[8] | x = a.to(torch.float32) ;; x = x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + 1e-5) ;; (x * b.float()).to(torch.bfloat16)
bf16[4,8] bf16[8] | x = a.float() ;; x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) ;; (x * (1.0 + b.float())).type_as(a)
bf16[4,8] bf16[4,8] bf16[8] | r = a + b ;; x = r.float() ;; x = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) ;; (x.to(r.dtype) * c, r)
f32[4,8] f32[8] f32[8] | m = a.mean(-1, keepdim=True) ;; v = (a - m).pow(2).mean(-1, keepdim=True) ;; (a - m) / torch.sqrt(v + 1e-5) * b + c
f32[4,8] f32[8] | a / (a.norm(dim=-1, keepdim=True) * 8 ** -0.5 + 1e-8) * b
bf16[4,16] | g, u = a[..., :8], a[..., 8:] ;; F.silu(g) * u
bf16[4,16] | d = a.shape[-1] // 2 ;; F.silu(a[..., :d]) * a[..., d:]
bf16[4,8] bf16[16,8] bf16[16,8] bf16[8,16] | F.linear(F.silu(F.linear(a, b)) * F.linear(a, c), d)
f32[2,3,4,8] f32[2,4,8] f32[2,4,8] | cos = b.unsqueeze(1) ;; sin = c.unsqueeze(1) ;; (a * cos) + (torch.cat((-a[..., 4:], a[..., :4]), dim=-1) * sin)
bf16[2,3,4,8] f32[2,4,4] f32[2,4,4] | x1, x2 = torch.chunk(a, 2, dim=-1) ;; cos = b.unsqueeze(-3).to(a.dtype) ;; sin = c.unsqueeze(-3).to(a.dtype) ;; torch.cat((x1 * cos - x2 * sin, x2 * cos + x1 * sin), dim=-1)
f32[4,3,8] f32[4,4] f32[4,4] | x1 = a[..., ::2] ;; x2 = a[..., 1::2] ;; c1 = b.unsqueeze(-2) ;; s1 = c.unsqueeze(-2) ;; torch.stack((x1 * c1 - x2 * s1, x2 * c1 + x1 * s1), dim=-1).flatten(-2)
f32[4] i64[2,6] | f = (a[None, :, None].float().expand(b.shape[0], -1, 1) @ b[:, None, :].float()).transpose(1, 2) ;; e = torch.cat((f, f), dim=-1) ;; (e.cos(), e.sin())
i64[6] | inv = 1.0 / (10000.0 ** (torch.arange(0, 8, 2).float() / 8)) ;; torch.outer(a.float(), inv)
f32[4,6] | p = F.softmax(a, dim=1, dtype=torch.float32) ;; w, i = torch.topk(p, 2, dim=-1) ;; w = w / w.sum(dim=-1, keepdim=True) ;; (w.to(a.dtype), i)
f32[4,6] f32[6] | s = a.sigmoid() ;; i = torch.topk(s + b, k=2, dim=-1, sorted=False)[1] ;; w = s.gather(1, i) ;; (w / (w.sum(-1, keepdim=True) + 1e-20) * 2.5, i)
f32[4,6] f32[6] | s = a.sigmoid() ;; g = (s + b.unsqueeze(0)).view(4, 2, 3).topk(2, dim=-1)[0].sum(dim=-1) ;; i = torch.topk(g, k=1, dim=-1)[1] ;; m = torch.zeros_like(g) ;; m.scatter_(1, i, 1) ;; m.unsqueeze(-1).expand(4, 2, 3).reshape(4, -1)
bf16[4,8] | s = a.abs().max(dim=-1, keepdim=True).values.float() / 127.0 ;; (torch.round(a / s).clamp(-128, 127).to(torch.int8), s)
bf16[4,8] f32[1] | (a.float() * b.reciprocal()).clamp(min=-448.0, max=448.0).to(torch.float8_e4m3fn)
bf16[4,256] | g = a.view(4, 2, 128).float() ;; s = g.abs().amax(-1, keepdim=True).clamp(min=1e-10) / 448.0 ;; ((g / s).clamp(-448.0, 448.0).to(torch.float8_e4m3fn).view(4, 256), s.squeeze(-1))
f8e4m3fn[4,8] f32[4,1] f8e4m3fn[6,8] f32[1,6] | ((a.float() @ c.float().t()) * b * d).to(torch.bfloat16)
f32[4,8] f32[1] i32[1] | torch.clamp(torch.round(a / b) + c, 0, 255).to(torch.uint8)
f32[4,8] | torch.view_as_complex(a.view(4, 4, 2))
f32[4,8] c64[4,4] | torch.view_as_real(torch.view_as_complex(a.float().reshape(4, 4, 2)) * b).flatten(-2)
f32[4,4] f32[4,4] | torch.polar(a, b)
f32[4,4] f32[4,4] | torch.complex(a, b)
c64[4,4] | a.real + a.imag
c64[4,4] | a.abs()
c64[4,4] | a.conj() * a
f32[4,8] | torch.empty_like(a)
f32[4,8] | torch.empty(4, 8, dtype=torch.bfloat16, device=a.device)
f32[4,8] | torch.empty((4, 4), dtype=a.dtype, device='cpu')
f32[4,8] | torch.empty_like(a, dtype=torch.int8, device='cpu')
f32[4,8](1,4) | torch.empty_like(a)
f32[4,8] | torch.zeros(4, 8)
f32[4,8] | torch.zeros_like(a, dtype=torch.bfloat16)
f32[4,8] | torch.ones((2, 3), dtype=torch.int32, device=a.device)
f32[4,8] | torch.ones_like(a)
f32[4,8] | torch.full((2, 3), 1.5)
f32[4,8] | torch.full((2, 3), 7, dtype=torch.float16, device='cpu')
f32[4,8] | torch.full([], 2.0)
f32[4,8] | torch.full_like(a, 3)
f32[4,8] | torch.full_like(a, 3.5, dtype=torch.int64)
f32[4,8] | torch.rand_like(a)
f32[4,8] | torch.randn(2, 3, dtype=torch.bfloat16)
f32[4,8] | torch.arange(8)
f32[4,8] | torch.arange(1, 9, 2, device=a.device)
f32[4,8] | torch.arange(0, 8, 2, dtype=torch.float32)
f32[4,8] | torch.arange(0.0, 1.0, 0.25)
f32[4,8] | torch.arange(4, dtype=torch.float32)[:, None] * a
f32[4,8] | torch.arange(a.size(1)) < 3
f32[4,8] | torch.linspace(0, 1, 5)
f32[4,8] | torch.eye(4) @ a
f32[4,8] | a.new_empty(3, 4)
f32[4,8] | a.new_empty((3, 4), dtype=torch.int8)
bf16[4,8] | a.new_zeros(a.shape)
f32[4,8] | a.new_ones(2)
f32[4,8] | a.new_full((2,), 3.0)
f32[4,8] | a.new_tensor([1.0, 2.0])
f32[4,8] | a + torch.tensor(2.0)
bf16[4,8] | a * torch.tensor(0.5, dtype=a.dtype)
f32[4,8] | torch.tensor([1, 2, 3])
f32[4,8] | torch.empty_strided((2, 3), (1, 2), dtype=torch.float32)
f32[4,8] | a.detach()
f32[4,8] | a.clone()
f32[4,8](1,4) | a.contiguous()
f32[4,8](1,4) | a.clone(memory_format=torch.contiguous_format)
f32[4,8] | a.numel() * a
f32[4,8] | a.size(0) + a.shape[1] * a
f32[4,8] | a * a.shape[-1] ** -0.5
f32[4,8] | a.is_contiguous() and a + 1
f32[4,8] | a * True
f32[4,8] | a + 1j
f32[4,8] | a * (1 if a.dtype == torch.float32 else 2)
f32[4,8] | torch.isnan(a) | torch.isinf(a)
f32[4,8] | torch.isfinite(a)
f32[4,8] f32[4,8] | torch.isclose(a, b)
f32[4,8] f32[4,8] | torch.dist(a, b)
f32[4,8] | torch.bucketize(a, torch.arange(3.0))
i64[4] | torch.bincount(a)
i64[4] i64[3] | torch.isin(a, b)
f32[4,8] f32[8,6] | torch.chain_matmul(a, b)
f32[4,4] | torch.linalg.inv(a)
f32[4,8] f32[4,8] | torch.cross(a[:, :3], b[:, :3], dim=-1)
f32[4,8] | a.renorm(2, 0, 1.0)
f32[4,8] | torch.special.expit(a)
f32[4,8] | torch.erf(a) + torch.erfc(a)
f32[4,8] | torch.special.erfinv(a)
f32[4,8] | torch.fft.fft(a)
f32[4,8] | torch.bernoulli(a)
f32[4,8] | torch.multinomial(a, 2)
f32[4,8] f32[8,6] | a @ b @ b.t()
f32[4,8] | torch.meshgrid(a[0], a[:, 0], indexing='ij')
f32[4,8] | torch.nn.functional.gumbel_softmax(a)
f32[4,8] | torch.square(a).mean().sqrt()
f32[4,8] | torch.logit(a) + torch.log(a) + torch.log2(a) + torch.log10(a)
f32[4,8] | torch.exp2(a) + torch.expm1(a) + torch.log1p(a)
f32[4,8] | torch.sinh(a) + torch.cosh(a) + torch.asinh(a)
f32[4,8] f32[4,8] | torch.copysign(a, b)
f32[4,8] f32[4,8] | torch.heaviside(a, b)
f32[4,8] f32[4,8] | torch.xlogy(a, b)
f32[4,8] f32[4,8] | torch.float_power(a, 2)
f32[4,8] | torch.movedim(a, 0, -1)
f32[4,8] | torch.swapaxes(a, 0, 1)
f32[4,8] | torch.atleast_3d(a)
f32[4,8] | torch.diff(a, dim=-1)
f32[4,8] | torch.block_diag(a, a)
f32[4,8] | a.as_strided((2, 2), (1, 2))
f32[4,8] | a.view(8, 4).sum(0).expand(3, 4)
f32[4,8] | {'x': a + 1, 'y': a * 2}
f32[4,8] | [a + 1, (a * 2, a - 1)]
f32[4,8] | (a, a + 1)
f32[4,8] | a
f32[4,8] f32[4,8] | torch.add(a, b, out=a)
f32[4,8] | a.nope()
f32[4,8] | a @ a
f32[4,8] | a.view(7)
f32[4,8] f32[3] | a + b
f32[4,8] | a.sum(5)
f32[4,8] | a[9]
f32[4,8] | a[0, 0, 0]
f32[4,8] | torch.cat([a, a[:, :2]], 0)
f32[4,8] | torch.nope(a)
f32[4,8] | F.nope(a)
f32[4,8] | a.expand(3, 8)
f32[4,8] | a.permute(0)
f32[4,8] | a.split([3, 3], dim=1)
f32[4,8] | torch.add(a, 'x')
f32[4,8] | torch.softmax(a)
f32[4,8] | a.softmax()
f32[4,8] f32[6,9] | F.linear(a, b)
f32[4,8] | F.layer_norm(a, (9,))
f32[4,8] | a.reshape(3, -1)
f32[4,8] | torch.stack([a, a[0]])
f32[4,8] | a.transpose(0, 3)
f32[4,8] | a.item()
f32[4,8] | bool(a.sum() > 0)
f32[4,8] | a.view(-1, -1)
f32[4,8] | a.unsqueeze(5)
i64[4,8] | a.mean()
i64[4,8] | F.softmax(a, -1)
f32[4,8] | torch.empty(2, 3, dtype='float32')
f32[4,8] | torch.bmm(a, a)
f32[4,8] f8e4m3fn[4,8] | a + b
f32[4,8] | a.chunk(0)
f32[4,8] | F.scaled_dot_product_attention(a)
f32[4,8] | torch.ops.aten.add.Nope(a, a)
f32[N,8] | a + 1
f32[N,8] | a.view(-1)
f32[N,8] | a.view(-1, 4)
f32[N,8] | a.reshape(-1, 2, 4)
f32[N,8] | a.reshape(a.shape[0], 2, 4)
f32[N,8] | a.view(a.size(0) * 2, 4)
f32[N,8] | a.view(a.size(0) * a.size(1))
f32[N,8] | a * a.shape[0]
f32[N,8] | a.shape[0] + a
f32[N,8] | a / a.size(0)
f32[N,8] | a * (a.shape[0] // 2)
f32[N,8] | a * (a.shape[0] - 1)
f32[N,8] | a * (a.shape[0] + 1) * (a.shape[0] * 2)
f32[N,8] | a * a.numel()
f32[N,8] | torch.empty(a.shape[0], 4)
f32[N,8] | torch.empty(a.shape[0] * 2, 4, dtype=torch.bfloat16, device=a.device)
f32[N,8] | torch.empty((a.shape[0], a.shape[1] // 2), dtype=a.dtype, device=a.device)
f32[N,8] | torch.empty_like(a)
f32[N,8] | torch.zeros(a.shape[0], 1)
f32[N,8] | torch.zeros_like(a)
f32[N,8] | torch.full((a.size(0),), 1.0)
f32[N,8] | torch.ones(a.shape)
f32[N,8] | a.new_zeros(a.shape[0])
f32[N,8] | torch.arange(a.shape[0])
f32[N,8] | torch.arange(a.shape[0], dtype=torch.float32)
f32[N,8] | torch.arange(1, a.shape[0] + 1)
f32[N,8] | a[:a.shape[0] // 2]
f32[N,8] | a[: a.shape[0] - 1]
f32[N,8] | a[1:]
f32[N,8] | a[:, :4]
f32[N,8] | a[:4]
f32[N,8] | a[-1]
f32[N,8] | a[:, :a.shape[-1] // 2]
f32[N,16] | d = a.shape[-1] // 2 ;; F.silu(a[..., :d]) * a[..., d:]
f32[8,N] | d = a.shape[-1] // 2 ;; F.silu(a[..., :d]) * a[..., d:]
f32[8,2*N] | d = a.shape[-1] // 2 ;; F.silu(a[..., :d]) * a[..., d:]
f32[8,2*N] | x, y = a.chunk(2, dim=-1) ;; x * y
f32[N,8] | a.chunk(2, dim=-1)
f32[N,8] | a.split([2, 6], -1)
f32[N,8] | a.split(4, dim=1)
f32[N,8] f32[8,6] | a @ b
f32[N,8] f32[N,8] | a @ b.t()
f32[N,8] f32[N,8] | a.t() @ b
f32[2,N,8] f32[8,6] | a @ b
f32[2,N,8] f32[2,N,8] | torch.bmm(a, b.transpose(1, 2))
f32[2,3,N,8] f32[2,3,N,8] | torch.matmul(a, b.transpose(2, 3))
f32[N,8] f32[6,8] f32[6] | F.linear(a, b, c)
f32[2,N,8] f32[6,8] f32[6] | F.linear(a, b, c)
f32[2,N,8] f32[6,8] | F.linear(a, b)
f32[N,8] f32[N,8] | torch.cat([a, b], 0)
f32[N,8] f32[N,8] | torch.cat([a, b], -1)
f32[N,8] f32[4,8] | torch.cat([a, b])
f32[N,8] | torch.stack([a, a])
f32[N,8] | a.expand(2, a.shape[0], 8)
f32[N,8] | a[None].expand(2, -1, -1)
f32[N,1] | a.expand(a.shape[0], 8)
f32[8] f32[N,8] | a.expand_as(b)
f32[N,8] | a.unsqueeze(1).repeat(1, 2, 1)
f32[N,8] | a.repeat(2, 1)
f32[N,8] | a.flatten()
f32[2,N,8] | a.flatten(0, 1)
f32[2,N,8] | a.view(-1, a.shape[-1])
f32[2,N,8] | a.permute(1, 0, 2).reshape(-1, 8)
f32[2,N,8] | a.transpose(1, 2).contiguous()
f32[2,N,8] | a.view(2, a.shape[1], 2, 4).transpose(1, 2)
f32[2,N,8] | b, s, h = a.shape ;; a.view(b, s, 2, 4).transpose(1, 2).reshape(b, s, h)
f32[N,8] | a.t()
f32[N,8] | a.sum(0)
f32[N,8] | a.mean(0)
f32[N,8] | a.mean(-1, keepdim=True)
f32[N,8] | a.mean()
f32[N,8] | F.softmax(a, -1)
f32[N,8] | F.softmax(a, 0)
bf16[N,8] bf16[8] | F.rms_norm(a, (8,), b, 1e-6)
bf16[N,8] bf16[8] bf16[8] | F.layer_norm(a, (8,), b, c)
bf16[N,8] bf16[8] | x = a.float() ;; x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) ;; b * x.to(a.dtype)
bf16[N,256] | g = a.view(a.shape[0], 2, 128).float() ;; s = g.abs().amax(-1, keepdim=True).clamp(min=1e-10) / 448.0 ;; ((g / s).clamp(-448.0, 448.0).to(torch.float8_e4m3fn).view(a.shape), s.squeeze(-1))
i64[N] f32[10,8] | F.embedding(a, b)
f32[10,8] i64[N] | a[b]
f32[N,8] i64[N] | a[torch.arange(a.shape[0]), b]
f32[N,8] | a.topk(2, dim=-1)
f32[N,8] | a + 1 if a.shape[0] > 1 else a - 1
f32[N,8] | a + 1 if a.shape[1] == 8 else a - 1
f32[N,8] f32[N,8] | a + b if a.shape == b.shape else a
f32[N,8] | F.pad(a, (0, 2))
f32[N,8] | F.pad(a, (0, 0, 0, 2))
f32[N,8] | a.view(a.shape)
f32[N,8] | a.reshape(-1, 8)
f32[N,8](1,N) | a.contiguous()
f32[N,8](1,N) | a.to(torch.bfloat16)
f32[N,8](16,1) | a.reshape(-1)
f32[N,8] | a * a.stride(0)
f32[N,8] | max(a.shape[0], 4) * a
f32[N,8] | a.tril()
f32[2,3,N,8] f32[2,3,N,8] f32[2,3,N,8] | F.scaled_dot_product_attention(a, b, c)
f32[2,3,N,8] f32[2,3,N,8] f32[2,3,N,8] | F.scaled_dot_product_attention(a, b, c, is_causal=True)
f32[N,8] | torch.empty_strided((a.shape[0], 8), (8, 1))
f32[N,8] | a.as_strided((a.shape[0], 4), (8, 1))
f32[N,8] | a.roll(1, 0)
f32[N,8] | a.flip(0)
f32[N,8] | a.cumsum(0)
f32[N,8] | (a.shape[0], a + 1)
f32[4,8] | torch.quantile(a, 0.5, dim=-1)
f32[4,8] | torch.quantile(a, 0.5)
f32[4,8] | torch.nanquantile(a, 0.5, dim=-1)
f32[4,8] | torch.median(a, dim=-1)[0]
f32[4,8] | torch.median(a)
f32[4,8] | torch.nanmedian(a, -1)[0]
f32[4,8] | torch.mode(a, -1)[0]
f32[4,8] | torch.kthvalue(a, 2, -1)[0]
f32[4,4] | torch.linalg.cholesky(a)
f32[4,8] | torch.linalg.svd(a)[1]
f32[4,8] | torch.linalg.svd(a, full_matrices=False)[0]
f32[4,8] | torch.svd(a)[1]
f32[4,4] | torch.linalg.eigh(a)[0]
f32[4,4] | torch.linalg.eigvalsh(a)
f32[4,4] | torch.linalg.eig(a)[0]
f32[4,4] | torch.linalg.det(a)
f32[4,4] | torch.det(a)
f32[4,4] | torch.logdet(a)
f32[4,4] | torch.linalg.slogdet(a)[1]
f32[4,4] | torch.slogdet(a)[1]
f32[8,4] | torch.linalg.qr(a)[0]
f32[8,4] | torch.linalg.qr(a, mode="complete")[1]
f32[4,4] f32[4,2] | torch.linalg.solve(a, b)
f32[4,4] f32[4,2] | torch.linalg.solve_triangular(a, b, upper=True)
f32[4,4] f32[4,2] | torch.triangular_solve(b, a)[0]
f32[4,4] f32[4,2] | torch.cholesky_solve(b, a)
f32[4,4] | torch.cholesky_inverse(a)
f32[4,4] | torch.inverse(a)
f32[4,4] | torch.linalg.lu_factor(a)[0]
f32[8,4] f32[8,2] | torch.linalg.lstsq(a, b)[0]
f32[4,8] | torch.linalg.pinv(a)
f32[4,4] | torch.matrix_exp(a)
f32[4,4] | torch.linalg.matrix_power(a, 3)
f32[4,4] | torch.matrix_power(a, 2)
f32[4,8] | torch.linalg.norm(a)
f32[4,8] | torch.linalg.matrix_norm(a)
f32[4,8] | torch.linalg.norm(a, "nuc")
f32[4,8] | torch.linalg.norm(a, 1)
f32[4,8] | torch.norm(a, p=1, dim=-1)
f32[4,8] | torch.norm(a)
f32[4,8] | torch.linalg.vector_norm(a, 3, -1)
f32[4,3] f32[4,3] | torch.linalg.cross(a, b)
f32[4,3] f32[4,3] | torch.cross(a, b, dim=-1)
f32[2,4] f32[2,5] f32[3,4,5] f32[3] | F.bilinear(a, b, c, d)
f32[1,3,8,8] | F.unfold(a, 3)
f32[1,3,8,8] | F.unfold(a, (2, 3), dilation=1, padding=1, stride=2)
f32[1,27,36] | F.fold(a, (8, 8), 3)
f32[8] | a.unfold(0, 3, 1)
f32[2,8] | a.unfold(-1, 4, 2) * 2
f32[1,3,8,8] | F.lp_pool2d(a, 2.0, 2)
f32[1,3,8] | F.lp_pool1d(a, 2.0, 2)
f32[1,3,8,8] | F.lp_pool2d(a, 3, 2, stride=1)
f32[1,3,8,8] | F.interpolate(a, size=(5, 5), mode="bicubic")
f32[1,3,8,8] | F.interpolate(a, scale_factor=2, mode="bicubic", align_corners=True)
f32[1,3,8,8] | F.interpolate(a, scale_factor=2, mode="bilinear")
f32[1,3,8,8] | F.interpolate(a, size=(5, 5), mode="bilinear")
f32[1,3,8,8] | F.interpolate(a, scale_factor=2.0, mode="bilinear", align_corners=True)
f32[1,3,8,8] | F.interpolate(a, scale_factor=2)
f32[1,3,8,8] | F.interpolate(a, size=(5, 5))
f32[1,3,8,8] | F.interpolate(a, scale_factor=2, mode="nearest-exact")
f32[1,3,8] | F.interpolate(a, scale_factor=2)
f32[1,3,8] | F.interpolate(a, scale_factor=2, mode="linear")
f32[1,3,4,4,4] | F.interpolate(a, scale_factor=2)
f32[1,3,4,4,4] | F.interpolate(a, scale_factor=2, mode="trilinear")
f32[1,3,8,8] | F.interpolate(a, size=(4, 4), mode="area")
f32[1,3,8,8] | F.interpolate(a, size=(4, 4), mode="bilinear", antialias=True)
f32[1,3,8,8] | F.upsample(a, scale_factor=2)
f32[1,3,8,8] | F.interpolate(a, scale_factor=1.5, recompute_scale_factor=True)
bf16[1,3,8,8] | F.interpolate(a, scale_factor=2, mode="bilinear")
bf16[1,3,8,8] | F.interpolate(a, scale_factor=2, mode="nearest")
f32[1,3,8,8] f32[1,5,5,2] | F.grid_sample(a, b, align_corners=False)
f32[1,3,8,8] f32[1,5,5,2] | F.grid_sample(a, b, mode="nearest", align_corners=True)
f32[1,3,8,8] f32[1,5,5,2] | F.grid_sample(a, b, padding_mode="border", align_corners=False)
f32[1,3,8,8] f32[1,5,5,2] | F.grid_sample(a, b, mode="bicubic", align_corners=False)
f32[1,3,8] | F.pad(a, (1, 1), mode="circular")
f32[1,3,8,8] | F.pad(a, (1, 2, 2, 1), mode="circular")
f32[1,3,8,8] | F.pad(a, (1, 1, 1, 1), mode="reflect")
f32[1,3,8] | F.pad(a, (2, 1), mode="reflect")
f32[1,3,8,8] | F.pad(a, (1, 1, 1, 1), mode="replicate")
f32[1,3,8] | F.pad(a, (2, 1), mode="replicate")
f32[1,3,4,4,4] | F.pad(a, (1, 1, 1, 1, 1, 1), mode="replicate")
f32[1,3,4,4,4] | F.pad(a, (1, 1, 1, 1, 1, 1), mode="reflect")
f32[4,8] | F.pad(a, (1, -1))
f32[4,8] | F.pad(a, (1, 1), value=2)
f32[1,3,8,8] | F.local_response_norm(a, 2)
f32[1,3,8] | F.local_response_norm(a, 3, alpha=1e-3)
f32[4,8] f32[4,8] f32[4] | F.cosine_embedding_loss(a, b, c)
f32[4,8] f32[4,8] i64[4] | F.cosine_embedding_loss(a, b, c, margin=0.5, reduction="none")
f32[4,8] f32[4,8] | F.cosine_similarity(a, b)
f32[4,8] f32[4,8] | F.cosine_similarity(a, b, dim=-1, eps=1e-6)
f32[4,8] f32[4,8] f32[4,8] | F.triplet_margin_loss(a, b, c)
f32[4,8] f32[4,8] f32[4,8] | F.triplet_margin_with_distance_loss(a, b, c)
f32[4,8] i64[4] | F.multi_margin_loss(a, b)
f32[4,8] i64[4,8] | F.multilabel_margin_loss(a, b)
f32[4,8] f32[4,8] | F.multilabel_soft_margin_loss(a, b)
f32[4,8] f32[4,8] | F.hinge_embedding_loss(a, b)
f32[4,8] i64[4] | F.cross_entropy(a, b, reduction="sum")
f32[4,8] i64[4] | F.cross_entropy(a, b, reduction="none")
f32[4,8] i64[4] | F.cross_entropy(a, b, label_smoothing=0.1)
f32[4,8] i64[4] f32[8] | F.cross_entropy(a, b, weight=c)
f32[4,8] i64[4] | F.cross_entropy(a, b, ignore_index=-1)
f32[4,8] f32[4,8] | F.cross_entropy(a, b)
f32[4,8] f32[4,8] | F.cross_entropy(a, b, label_smoothing=0.1)
f32[2,5,3,3] i64[2,3,3] | F.cross_entropy(a, b)
bf16[4,8] i64[4] | F.cross_entropy(a.float(), b)
f32[8] i64[] | F.cross_entropy(a, b)
f32[4,8] i64[4] | F.nll_loss(F.log_softmax(a, -1), b)
f32[4,8] i64[4] | F.nll_loss(a, b, reduction="none")
f32[2,5,3,3] i64[2,3,3] | F.nll_loss(a, b)
f32[4,8] i64[4] | torch.nn.CrossEntropyLoss()(a, b)
f32[4,8] f32[4,8] | torch.nn.MSELoss()(a, b)
f32[4,8] f32[4,8] | torch.nn.L1Loss()(a, b)
f32[12,2,8] i64[2,4] i64[2] i64[2] | F.ctc_loss(a, b, c, d)
f32[4,1,8] f32[24,8] f32[8,8] | F.multi_head_attention_forward(a, a, a, 8, 2, b, None, None, None, False, 0.0, c, None, need_weights=False)[0]
f32[4,2,8] f32[24,8] f32[8,8] f32[24] f32[8] | F.multi_head_attention_forward(a, a, a, 8, 2, b, d, None, None, False, 0.0, c, e)[0]
f32[4,2,8] f32[24,8] f32[8,8] f32[24] f32[8] | F.multi_head_attention_forward(a, a, a, 8, 2, b, d, None, None, False, 0.0, c, e, need_weights=False)[0]
f32[4,2,8] f32[5,2,8] f32[24,8] f32[8,8] | F.multi_head_attention_forward(a, b, b, 8, 2, c, None, None, None, False, 0.0, d, None)[0]
f32[4,2,8] f32[24,8] f32[8,8] b8[4,4] | F.multi_head_attention_forward(a, a, a, 8, 2, b, None, None, None, False, 0.0, c, None, attn_mask=d)[0]
f32[4,8] f32[24,8] f32[8,8] | F.multi_head_attention_forward(a, a, a, 8, 2, b, None, None, None, False, 0.0, c, None)[0]
f32[4,4] | torch.tril_indices(4, 4)
f32[4,4] | torch.triu_indices(4, 4)
f32[4,4] | torch.tril_indices(4, 6, offset=1, dtype=torch.int32)
f32[4,4] | a[torch.tril_indices(4, 4)[0], torch.tril_indices(4, 4)[1]]
f32[3] f32[4] | torch.cartesian_prod(a, b)
f32[3] | torch.cartesian_prod(a)
f32[3] f32[4] | torch.meshgrid(a, b, indexing="xy")[0]
f32[1,16] | torch.stft(a, 4, return_complex=True)
f32[1,16] f32[4] | torch.stft(a, 4, window=b, return_complex=True, center=False)
f32[16] f32[4] | torch.stft(a, 4, hop_length=2, window=b, return_complex=True)
f32[4,8] | torch.fft.rfft(a)
c64[4,8] | torch.fft.ifft(a)
c64[4,8] | torch.fft.fft(a)
c64[4,5] | torch.fft.irfft(a)
f32[4,8] | torch.fft.rfft(a, n=16, dim=-1, norm="ortho")
f32[4,8] | torch.fft.rfft2(a)
f32[4,8] | torch.fft.fft2(a)
f32[4,8] | torch.fft.fftn(a)
f32[4,8] | torch.fft.fftshift(a)
f32[4,8] | torch.fft.ifftshift(a, dim=-1)
f32[4,8] | torch.fft.irfft(torch.fft.rfft(a), n=8)
f32[4,8] | torch.fft.fftfreq(8)
f32[4,8] | torch.fft.rfftfreq(8)
f32[4,8] | torch.fft.hfft(a)
f32[4,8] | torch.fft.rfft(a).abs()
f32[4,8] f32[8] | torch.fft.rfft(a) * b[:5]
f32[4,8] f32[4,8] | torch.nn.utils.rnn.pad_sequence([a, b])
f32[4,8] f32[2,8] | torch.nn.utils.rnn.pad_sequence([a, b], batch_first=True)
f32[4,8] f32[2,8] | torch.nn.utils.rnn.pad_sequence([a, b], batch_first=True, padding_value=1.0)
f32[4,8] | torch.fake_quantize_per_tensor_affine(a, 0.1, 0, -128, 127)
f32[4,8] f32[1] i32[1] | torch.fake_quantize_per_tensor_affine(a, b, c, 0, 255)
f32[4,8] f32[8] i32[8] | torch.fake_quantize_per_channel_affine(a, b, c, 1, -128, 127)
f32[4,8] f32[8] f32[8] | torch.fake_quantize_per_channel_affine(a, b, c, -1, 0, 255)
i8[32,32] i8[32,32] | torch._int_mm(a, b)
i8[32,32] i8[32,32] | torch._int_mm(a, b.t())
i8[32,32] i8[32,32] f32[32,1] f32[32] | torch._int_mm(a, b).to(torch.float32) * c * d
f32[8,8] f32[8,1] | torch._weight_norm(a, b, 0)
f32[8,8] f32[1,8] | torch._weight_norm(a, b, 1)
f32[4] f32[4] | torch._foreach_add([a, b], 1)[0]
f32[4] f32[4] | torch._foreach_add([a, b], 1)
f32[4] f32[4] | torch._foreach_mul([a, b], [b, a])
f32[4] f32[4] | torch._foreach_add([a, b], [b, a], alpha=2)
f32[4] f32[4] | torch._foreach_sqrt([a, b])
f32[4] f32[4] | torch._foreach_mul_([a, b], 2.0)
f32[4] f32[4] | torch._foreach_addcdiv([a, b], [b, a], [a, a], 0.5)
f32[4] f32[4] | torch._foreach_norm([a, b])
f32[4] f32[4] | torch._foreach_pow([a, b], 2)
f32[4] f32[4] | torch._foreach_div([a, b], [b, a])
f32[4] f32[4] | torch._foreach_maximum([a, b], 0.0)
f32[4] f32[4] | torch._foreach_neg([a, b])
f32[4] f32[4] | torch._foreach_copy_([a, b], [b, a])
c64[4] | a.conj()
c64[4] | a * a.conj()
c64[4] | a.conj() * a
c64[4] | a.conj() + 1
c64[4] | torch.conj(a).real
c64[4] | a.conj().imag
c64[4,4] c64[4,4] | a @ b.conj()
c64[4,4] | a.mH
c64[4,4] | a.conj().t() @ a
c64[4,4] | a.conj().resolve_conj()
c64[4,4] | a.conj().clone()
c64[4] | a.conj().abs()
c64[4] | a.abs()
c64[4] | a.angle()
c64[4] | torch.view_as_real(a)
c64[4] | torch.view_as_real(a.conj().resolve_conj())
f32[4,2] | torch.view_as_complex(a)
f32[4] f32[4] | torch.complex(a, b)
f32[4] f32[4] | torch.polar(a, b)
c64[4] | a.conj().sum()
c64[4] | a.conj().conj()
c64[4] | a.conj_physical()
c64[4] | a.real + a.imag
f32[4] | a.conj()
c64[4,4] | a.conj().reshape(16)
c64[4,4] | a.conj()[0] * 2
c64[4] | -a.conj()
c64[4] | a.exp()
c64[4] | a.conj().exp()
f32[4,8] i64[2] f32[2,8] | torch.index_reduce(a, 0, b, c, "amax")
f32[4,8] i64[2] f32[2,8] | torch.index_reduce(a, 0, b, c, "prod")
f32[4,8] i64[2] f32[2,8] | torch.index_reduce(a, 0, b, c, "mean", include_self=False)
f32[4,8] i64[2] f32[2,8] | torch.index_reduce(a, 0, b, c, "mean")
f32[4,8] i64[2] f32[2,8] | torch.index_add(a, 0, b, c)
f32[4,8] i64[2] f32[4,2] | torch.index_add(a, 1, b, c, alpha=2)
f32[4,8] i64[2] f32[2,8] | torch.index_copy(a, 0, b, c)
f32[4,8] i64[2] | torch.index_fill(a, 0, b, 1.0)
f32[4,8] i64[4,8] f32[4,8] | torch.scatter_reduce(a, 0, b, c, "amax")
f32[4,8] i64[4,8] f32[4,8] | torch.scatter_reduce(a, 0, b, c, "sum")
f32[4,8] i64[4,8] f32[4,8] | torch.scatter_reduce(a, 1, b, c, "mean", include_self=False)
f32[4,8] i64[4,8] f32[4,8] | torch.scatter_add(a, 0, b, c)
f32[4,8] i64[4,8] | torch.scatter(a, 0, b, 1.0)
f32[4,8] i64[4,8] f32[4,8] | torch.scatter(a, 0, b, c, reduce="add")
f32[4,8] b8[4,8] f32[32] | torch.masked_scatter(a, b, c)
f32[4,8] i64[3] | torch.take(a, b)
f32[4,8] i64[4,1] | torch.take_along_dim(a, b, 1)
f32[4,8] i64[3] f32[3] | torch.put(a, b, c)
f32[4,8] i64[2] i64[2] f32[2] | torch.index_put(a, (b, c), d)
f32[4,8] i64[2] f32[2,8] | torch.index_put(a, (b,), c, accumulate=True)
f32[1,3,8,8] | a.to(memory_format=torch.channels_last)
f32[1,3,8,8] | a.contiguous(memory_format=torch.channels_last)
f32[2,3,8,8] | a.to(memory_format=torch.channels_last) * 2
f32[2,3,8,8] | a.contiguous(memory_format=torch.channels_last).relu()
f32[2,3,8,8] | a.clone(memory_format=torch.channels_last)
f32[2,3,8,8](192,1,24,3) | a.clone()
f32[2,3,8,8](192,1,24,3) | a.contiguous()
f32[2,3,8,8](192,1,24,3) | a.contiguous(memory_format=torch.channels_last)
f32[2,3,8,8](192,1,24,3) | torch.empty_like(a)
f32[2,3,8,8](192,1,24,3) | torch.zeros_like(a)
f32[2,3,8,8](192,1,24,3) f32[4,3,3,3] | F.conv2d(a, b, padding=1)
f32[2,3,8,8] f32[4,3,3,3](27,1,9,3) | F.conv2d(a, b, padding=1)
f32[1,3,8,8](192,1,24,3) f32[4,3,3,3] | F.conv2d(a, b, stride=2)
f32[2,3,8,8](192,1,24,3) f32[4,3,1,1] | F.conv2d(a, b)
f32[2,1,8,8] f32[4,1,3,3] | F.conv2d(a, b)
f32[2,3,8,8](192,1,24,3) f32[3,4,2,2] | F.conv_transpose2d(a, b, stride=2)
f32[3,8,8] f32[4,3,3,3] | F.conv2d(a, b)
f32[2,3,8,8](192,1,24,3) | F.max_pool2d(a, 2)
f32[2,3,8,8](192,1,24,3) | F.avg_pool2d(a, 2)
f32[2,3,8,8](192,1,24,3) | F.adaptive_avg_pool2d(a, 1)
f32[2,3,8,8](192,1,24,3) | F.adaptive_avg_pool2d(a, (4, 4))
f32[2,3,8,8](192,1,24,3) | F.adaptive_max_pool2d(a, (4, 4))
f32[2,3,8,8](192,1,24,3) f32[2,5,8,8](320,1,40,5) | torch.cat([a, b], 1)
f32[2,3,8,8](192,1,24,3) f32[2,5,8,8] | torch.cat([a, b], 1)
f32[2,3,8,8](192,1,24,3) | torch.cat([a, a], 0)
f32[2,3,8,8](192,1,24,3) | F.interpolate(a, scale_factor=2)
f32[2,3,8,8](192,1,24,3) | F.interpolate(a, scale_factor=2, mode="bilinear")
f32[2,3,8,8](192,1,24,3) | F.interpolate(a, scale_factor=2, mode="bicubic")
f32[2,3,8,8](192,1,24,3) f32[3] f32[3] f32[3] f32[3] | F.batch_norm(a, b, c, d, e)
f32[2,3,8,8](192,1,24,3) f32[3] f32[3] | F.instance_norm(a, weight=b, bias=c)
f32[2,4,8,8](256,1,32,4) f32[4] f32[4] | F.group_norm(a, 2, b, c)
f32[2,3,8,8](192,1,24,3) | F.relu(a) + a
f32[2,3,8,8](192,1,24,3) | a.to(torch.bfloat16)
f32[2,3,8,8](192,1,24,3) | a.sum(1, keepdim=True)
f32[2,3,8,8](192,1,24,3) | a.mean((2, 3))
f32[2,3,8,8](192,1,24,3) | a.flatten(1)
f32[2,3,8,8](192,1,24,3) | a.flatten(2)
f32[2,3,8,8](192,1,24,3) | F.softmax(a, 1)
f32[2,3,8,8](192,1,24,3) | F.pad(a, (1, 1, 1, 1))
f32[2,3,8,8](192,1,24,3) | F.pad(a, (1, 1, 1, 1), mode="reflect")
f32[2,4,8,8](256,1,32,4) | F.pixel_shuffle(a, 2)
f32[2,4,8,8](256,1,32,4) | F.pixel_unshuffle(a, 2)
f32[2,4,8,8] | F.channel_shuffle(a, 2)
f32[2,4,8,8] | torch.channel_shuffle(a, 2)
f32[2,4,8,8] | torch.empty(2, 4, 8, 8, memory_format=torch.channels_last)
f32[2,4,8,8] | torch.empty((2, 4, 8, 8), memory_format=torch.channels_last, dtype=torch.bfloat16) + 1
f32[2,4,8,8] | torch.empty_like(a, memory_format=torch.channels_last)
f32[2,4,8,8] | torch.zeros_like(a, memory_format=torch.channels_last)
f32[2,4,8,8] | torch.randn_like(a, memory_format=torch.channels_last)
f32[2,4,8,8] | a.to(torch.bfloat16, memory_format=torch.channels_last)
f32[2,4,8,8] | a.bfloat16(memory_format=torch.channels_last)
f32[2,4,8,8] | a.is_contiguous(memory_format=torch.channels_last) and a or a * 2
f32[2,3,4,4,4] | a.to(memory_format=torch.channels_last_3d)
f32[2,3,4,4,4] f32[4,3,2,2,2] | F.conv3d(a, b)
f32[2,3,8] f32[4,3,3] | F.conv1d(a, b, padding="same")
f32[2,3,4,4,4] | F.max_pool3d(a, 2)
f32[2,3,4,4,4] | F.avg_pool3d(a, 2)
f32[2,3,8] | F.max_pool1d(a, 2)
f32[2,3,8] | F.avg_pool1d(a, 2)
f32[2,3,8] | F.adaptive_avg_pool1d(a, 4)
f32[2,3,8] | F.adaptive_max_pool1d(a, 4)
f32[2,3,4,4,4] | F.adaptive_avg_pool3d(a, 2)
f32[2,3,4,4,4] | F.adaptive_max_pool3d(a, 2)
f32[2,3,7,7] | F.adaptive_avg_pool2d(a, (3, 3))
f32[2,3,7,7] | F.adaptive_max_pool2d(a, (3, 3))
f32[2,3,8,8] | F.max_pool2d(a, 2, return_indices=True)[1]
f32[2,3,8] f32[3,4,3] | F.conv_transpose1d(a, b, stride=2, padding=1)
f32[2,3,8] f32[3,4,3] f32[4] | F.conv_transpose1d(a, b, c, output_padding=1, stride=2)
f32[2,4,8,8] f32[4,1,3,3] f32[4] | F.conv2d(a, b, c, groups=4, padding=1)
f32[2,4,8] f32[2] | torch.quantile(a, b, dim=1, keepdim=True)
f32[4,8] f32[2] | torch.quantile(a, b, dim=1)
f32[4,8] | torch.quantile(a, 0.5, dim=-1, interpolation="nearest")
f32[4,8] | torch.quantile(a, 0.5, dim=-1, interpolation="lower")
f32[4,8] | torch.quantile(a, 0.5, dim=-1, interpolation="midpoint")
f32[4,8] | a.quantile(0.9, dim=-1)
f32[4,8] | torch.nanquantile(a, 0.5)
f32[4,8] | torch.linalg.svdvals(a)
f32[4,8] | torch.linalg.matrix_norm(a, 2)
f32[4,8] | torch.linalg.norm(a, float("inf"))
f32[4,8] | torch.linalg.norm(a, "fro")
f32[4,8] | torch.linalg.norm(a, 2)
f32[2,4,8] | torch.linalg.norm(a, dim=(1, 2))
f32[4,8] | torch.linalg.norm(a, ord=1, dim=-1)
f32[4,4] | torch.linalg.eigvals(a)
f32[4,4] | torch.linalg.eigh(a).eigenvectors
f32[4,4] f32[4] | torch.linalg.solve(a, b)
f32[3,4,4] f32[3,4,2] | torch.linalg.solve(a, b)
f32[3,4,4] | torch.linalg.inv(a)
f32[3,4,4] | torch.linalg.det(a)
f32[3,4,4] | torch.linalg.cholesky(a)
f32[4,4] | torch.linalg.cholesky(a, upper=True)
f32[4,4] | torch.linalg.matrix_exp(a)
f32[4,4] f32[4,4] | torch.linalg.vecdot(a, b)
f32[4,4] f32[4,4] | torch.kron(a, b)
f32[4,4] f32[4,4] | torch.cdist(a, b)
f32[4,4] f32[4,4] | torch.dist(a, b)
f32[4,4] f32[4,4] | torch.inner(a, b)
f32[4] f32[4] | torch.outer(a, b)
f32[4,4] f32[4,4] | torch.tensordot(a, b, dims=1)
f32[4,4] f32[4,4] | torch.einsum("ij,jk->ik", a, b)
f32[2,3,4] f32[2,4,5] | torch.einsum("bij,bjk->bik", a, b)
f32[4,8] | torch.cummax(a, 1)[0]
f32[4,8] | torch.cumprod(a, 1)
f32[4,8] | torch.logcumsumexp(a, 1)
f32[4,8] | torch.diff(a)
f32[4,8] | torch.histc(a, 10)
f32[4,8] | torch.std_mean(a, -1)[0]
f32[4,8] | torch.var_mean(a)[1]
f32[4,8] | torch.aminmax(a)[0]
f32[4,8] | torch.nansum(a)
f32[4,8] | torch.count_nonzero(a)
f32[4,8] | torch.logsumexp(a, -1)
f32[4,8] | torch.norm(a, dim=1, keepdim=True)
f32[4,8] | torch.norm(a, p=float("inf"))
f32[4,8] | torch.renorm(a, 2, 0, 1.0)
f32[4,8] | F.normalize(a, dim=-1)
f32[4,8] | F.normalize(a, p=1, dim=0)
f32[4,8] | F.softmin(a, dim=1)
f32[4,8] | F.softshrink(a)
f32[4,8] | F.threshold(a, 0.1, 20)
f32[4,8] | F.rrelu(a)
f32[4,8] | F.celu(a)
f32[4,8] | F.hardtanh(a)
f32[4,8] | F.mish(a)
f32[4,8] | F.softplus(a, beta=2, threshold=10)
f32[4,8] | F.gelu(a, approximate="tanh")
f32[4,8] | F.dropout(a, 0.5)
f32[2,4,8,8] | F.dropout2d(a, 0.5)
f32[10,8] i64[4] | F.embedding(b, a)
i64[4] | F.one_hot(a, 5)
f32[2,8,4] | F.adaptive_avg_pool1d(a, 2)
f32[2,3,8] f32[3] f32[3] | F.batch_norm(a, b, c)
f32[2,3,8] f32[3] f32[3] | F.batch_norm(a, b, c, training=True)
f32[4,3] f32[3] f32[3] f32[3] f32[3] | F.batch_norm(a, b, c, d, e, training=True, momentum=0.2)
f32[2,4,8] | F.group_norm(a, 2)
f32[2,4,8] f32[8] | F.rms_norm(a, (8,), b)
f32[2,4,8] | F.layer_norm(a, (4, 8))
f32[2,3,8] | F.instance_norm(a)
f32[2,3,4,4] | F.pixel_unshuffle(a, 2)
f32[4,8] f32[4,8] | F.mse_loss(a, b, reduction="sum")
f32[4,8] f32[4,8] | F.l1_loss(a, b)
f32[4,8] f32[4,8] | F.huber_loss(a, b, delta=0.5)
f32[4,8] f32[4,8] | F.kl_div(a, b, reduction="batchmean")
f32[4,8] f32[4,8] | F.poisson_nll_loss(a, b)
f32[4,8] f32[4,8] f32[4,8] | F.gaussian_nll_loss(a, b, c)
f32[4,8] f32[4,8] | F.soft_margin_loss(a, b)
f32[4,8] f32[4,8] f32[4,8] | F.triplet_margin_loss(a, b, c, swap=True)
f32[2,5,3] i64[2,3] | F.cross_entropy(a, b)
f32[2,5,2,2,2] i64[2,2,2,2] | F.cross_entropy(a, b)
f32[4,8] f32[4,8] f32[8] | F.cross_entropy(a, b, weight=c)
f32[4,8] i64[4] | F.cross_entropy(a, b, label_smoothing=0.1, reduction="none")
bf16[4,8] i64[4] | F.cross_entropy(a, b)
f32[2,4,3,8] f32[2,4,3,8] f32[2,4,3,8] | F.scaled_dot_product_attention(a, b, c, is_causal=True)
f32[2,4,3,8] f32[2,4,3,8] f32[2,4,3,8] | F.scaled_dot_product_attention(a, b, c, dropout_p=0.5)
f32[2,3,8,8] f32[3,1,3,3] | F.conv2d(a, b, groups=3, padding="same")
f32[2,3,8,8] f32[3,4,3,3] | F.conv_transpose2d(a, b, padding=1, output_padding=0)
f32[2,3,4,4,4] f32[3,4,2,2,2] | F.conv_transpose3d(a, b)
f32[4,8] f32[6,8] f32[6] | F.linear(a, b, c)
f32[4,8] f32[5,6] f32[3,8,6] | F.bilinear(a[:4], b[:4], c)
f32[2,3,8,8] | F.avg_pool2d(a, 3, stride=2, padding=1, count_include_pad=False)
f32[2,3,8,8] | F.avg_pool2d(a, 3, ceil_mode=True)
f32[2,3,8,8] | F.max_pool2d(a, 3, stride=2, padding=1, dilation=1, ceil_mode=True)
f32[4,8] | torch.argsort(a)
f32[4,8] | torch.sort(a, descending=True)[0]
f32[4,8] | torch.sort(a, stable=True)[1]
f32[4,8] | torch.msort(a)
f32[4,8] | torch.topk(a, 3)[0]
f32[4,8] f32[4] | torch.searchsorted(a, a)
f32[8] f32[4] | torch.bucketize(b, a)
f32[4,8] | torch.flip(a, (0, 1))
f32[4,8] | torch.fliplr(a)
f32[4,8] | torch.flipud(a)
f32[4,8] | torch.roll(a, 1)
f32[4,8] | torch.roll(a, (1, 2), (0, 1))
f32[4,8] | torch.tril(a, 1)
f32[4,8] | torch.diag(a)
f32[4] | torch.diag(a)
f32[4] | torch.diagflat(a)
f32[4,8] | torch.diagonal(a, 1)
f32[4,8] f32[4] | torch.diagonal_scatter(a, b)
f32[4,8] f32[8] | torch.select_scatter(a, b, 0, 1)
f32[4,8] f32[2,8] | torch.slice_scatter(a, b, 0, 1, 3)
f32[4,8] | torch.repeat_interleave(a, 2)
f32[4,8] | torch.repeat_interleave(a, 2, dim=0)
f32[4,8] | torch.tile(a, (2,))
f32[4,8] | torch.tensor_split(a, 3, 1)[0]
f32[4,8] | torch.hsplit(a, 2)[0]
f32[4,8] | torch.dsplit(a.unsqueeze(0), 2)[0]
f32[4,8] f32[4,8] | torch.hstack([a, b])
f32[4,8] f32[4,8] | torch.dstack([a, b])
f32[4,8] f32[4,8] | torch.column_stack([a, b])
f32[4,8] | torch.movedim(a, 0, 1)
f32[4,8] | torch.ravel(a)
f32[4,8] | a.unflatten(1, (2, 4))
f32[4,8] | torch.broadcast_to(a, (2, 4, 8))
f32[4,8] | a.expand(2, 4, 8)
f32[4,8] b8[4,8] | torch.masked_select(a, b)
f32[4,8] b8[4,8] | a.masked_fill(b, 1.0)
f32[4,8] | torch.nonzero(a)
f32[4,8] | torch.heaviside(a, a)
f32[4,8] | torch.nan_to_num(a, nan=1.0)
f32[4,8] | torch.logit(a, eps=1e-6)
f32[4,8] | torch.polygamma(1, a)
f32[4,8] | torch.special.erfcx(a)
f32[4,8] | torch.special.ndtr(a)
f32[4,8] | torch.special.entr(a)
f32[4,8] | torch.special.zeta(a, a)
f32[4,8] | torch.special.xlog1py(a, a)
f32[4,8] | torch.special.logit(a)
f32[4,8] f32[4,8] | torch.nextafter(a, b)
f32[4,8] f32[4,8] | torch.ldexp(a, b)
f32[4,8] f32[4,8] | torch.fmod(a, b)
f32[4,8] f32[4,8] | torch.igamma(a, b)
f32[4,8] f32[4,8] f32[4,8] | torch.lerp(a, b, c)
f32[4,8] | torch.frac(a)
f32[4,8] | torch.sinc(a)
f32[4,8] | torch.deg2rad(a)
f32[4,8] | torch.sgn(a)
f32[4,8] | torch.signbit(a)
i64[4,8] i64[4,8] | torch.gcd(a, b)
i64[4,8] i64[4,8] | torch.lcm(a, b)
i64[4,8] i64[4,8] | torch.bitwise_left_shift(a, b)
i64[8] | torch.bincount(a)
f32[4,8] | torch.randperm(8)
f32[4,8] | torch.hann_window(8)
f32[4,8] | torch.logspace(0, 1, 5)
f32[4,8] | torch.eye(4, 6)
f32[4,8] | a.clip(0, 1)
f32[4,8] | a.addr(a[:, 0], a[0])
f32[4,8] f32[8,3] f32[3] | torch.addmm(c, a, b)
f32[4,8] f32[8] f32[4] | torch.addmv(c, a, b)
f32[2,4,8] f32[2,8,3] f32[4,3] | torch.addbmm(c, a, b)
f32[2,4,8] f32[2,8,3] f32[2,4,3] | torch.baddbmm(c, a, b, beta=0.5, alpha=2)
f32[4,8] | a.softmax(-1, dtype=torch.float64)
f32[4,8] | a.cpu()
f32[4,8] | a.element_size() * a
f32[4,8] | a.index_select(1, torch.tensor([0, 2]))
f32[4,8] | a[:, None].squeeze()
f32[4,8] | a[..., ::2]
f32[4,8] | a[a > 0]
f32[4,8] | torch.quantile(a, 0.5, dim=0)
f32[4,8] | torch.quantile(a, 0.5, dim=0, keepdim=True)
f32[4,8] | torch.quantile(a, 0.5, dim=-1, keepdim=True)
f32[4,8] | torch.quantile(a, 0.25, keepdim=True)
f32[2,4,8] | torch.quantile(a, 0.5, dim=1)
f32[2,4,8] f32[2] | torch.quantile(a, b, dim=1)
f32[4,8] f32[2] | torch.quantile(a, b)
f32[4] f32[4] f32[4] | F.margin_ranking_loss(a, b, c)
f32[4,8] f32[2] | torch.quantile(a, b, dim=-1, keepdim=True)
f32[4,8] | torch.linalg.matrix_norm(a, "nuc", keepdim=True)
f32[4,4] | torch.linalg.lu(a)[1]
f32[4,4] | torch.linalg.cond(a)
f32[4,4] | torch.pinverse(a)
f32[4,4] | torch.linalg.multi_dot([a, a, a])
f32[4,4] f32[4,4] | torch.linalg.matmul(a, b)
f32[4,4] | torch.linalg.diagonal(a)
f32[4,8] | torch.trapz(a)
f32[4,8] | torch.trapezoid(a, dx=0.5)
f32[4,8] | torch.cumulative_trapezoid(a)
f32[4,8] | torch.nanmean(a, -1)
f32[4,8] | F.gumbel_softmax(a)
f32[4,8] | F.dropout1d(a, 0.5)
f32[4,8] | F.alpha_dropout(a, 0.5, True)
f32[4,8] | F.feature_alpha_dropout(a, 0.5, True)
f32[2,3,8,8] f32[4,3,3,3] f32[4] | F.conv2d(a, b, c, padding="valid", dilation=2)
f32[4,8] | torch.rot90(a)
f32[4,8] | torch.mvlgamma(a, 2)
f32[4,8] | torch.special.log_ndtr(a)
f32[4,8] | torch.special.i0e(a)
f32[4,8] | torch.special.bessel_j0(a)
f32[4,8] | torch.special.multigammaln(a, 2)
f32[4,8] f32[4,8] | torch.allclose(a, b)
f32[4,8] f32[4,8] | torch.equal(a, b)
f32[4,8] | torch.frexp(a)[0]
f32[4,8] | torch.poisson(a)
f32[4,8] | torch.normal(a, a)
f32[4,8] | torch.kaiser_window(8)
f32[4,8] | torch.blackman_window(8)
f32[4,8] | torch.bartlett_window(8)
f32[4,8] | a.sum_to_size(1, 8)
i64[6] f32[12,8] | F.embedding_bag(a.view(1, -1), b, mode="sum")
i64[6] bf16[12,8] | F.embedding_bag(a.view(2, -1), b)
i64[2,3] f32[12,8] | F.embedding_bag(a, b, mode="max")
i64[6] f32[12,8] i64[2] | F.embedding_bag(a, b, c)
i64[6] f32[12,8] i64[2] | F.embedding_bag(a, b, c, mode="sum", per_sample_weights=b[:6, 0])
i64[6] f32[12,8] i64[3] | F.embedding_bag(a, b, c, include_last_offset=True, padding_idx=-1)
i64[6] f32[12,8] i64[3] | torch.embedding_bag(b, a, c)
i64[6] f32[12,8] i64[3] | torch.ops.aten._embedding_bag(b, a, c)
i64[6] f32[12,8] | F.embedding_bag(a, b)
i64[6] f32[12] | F.embedding(a, b)
f32[2,2,3] | F.affine_grid(a, (2, 4, 5, 6), align_corners=False)
f32[2,2,3] | F.affine_grid(a, [2, 4, 5, 6], align_corners=True)
f32[2,3,4] | F.affine_grid(a, (2, 4, 3, 5, 6))
f32[2,2,3] f32[2,4,5,6] | F.grid_sample(b, F.affine_grid(a, b.shape), align_corners=False)
f32[4,8] | torch.linalg.vander(a, N=3)
f32[4,8] | torch.cov(a)
f32[4,8] | a.cov(correction=0)
f32[4,8] | torch.corrcoef(a)
f32[8] | torch.cov(a)
bf16[4,8] | torch.cov(a)
f32[4,8] | torch.gradient(a)[0]
f32[4,8] | torch.gradient(a, dim=-1)[0]
f32[4,8] | torch.gradient(a, spacing=0.5, dim=1)[0]
f32[4,8] f32[4,8] | torch._foreach_add([a, b], [b, a])[0]
f32[4,8] f32[4,8] | torch._foreach_mul([a, b], 2.0)[1]
f32[4,8] f32[4,8] | torch._foreach_addcmul([a, b], [b, a], [a, a], 0.5)[0]
f32[4,8] f32[4,8] | torch._foreach_addcdiv([a, b], [b, a], [a, a], [0.5, 2.0])[0]
f32[4,8] f32[4,8] | torch._foreach_sqrt([a, b])[0]
f32[4,8] f32[4,8] | torch._foreach_norm([a, b])[0]
f32[4,8] f32[4,8] | torch._foreach_div([a, b], [b, a])[0]
f32[4,8] f32[4,8] | torch._foreach_pow([a, b], 2)[0]
f32[4,8] f32[4,8] | torch._foreach_maximum([a, b], [b, a])[0]
f32[3] | torch.ops.aten.scalar_tensor(1.0) + a
f32[3] | torch.ops.aten.scalar_tensor(1.0, dtype=torch.float32, layout=torch.strided, device=torch.device('cpu')) + a
f32[3] | torch.ops.aten.full([3], 1.0) + a
f32[3] | torch.ops.aten.zeros([3]) + a
f32[3] | torch.ops.aten.ones([3], dtype=torch.bfloat16, device='cpu') + a
f32[3] | torch.ops.aten.arange(3) + a
f32[3] | torch.ops.aten.empty([3]) + a
f32[3] | torch.ops.aten.rand([3]) + a
f32[3] | torch.ops.aten.randn([3], device='cpu') + a
f32[3,3] | torch.ops.aten.eye(3) + a
f32[3] | torch.ops.aten.linspace(0, 1, 3) + a
f32[3] | torch.ops.aten.empty_strided([3], [1]) + a
f32[9] f32[2,4] f32[4,12] | torch.addmm(a, b, c)
f32[3,2,12] f32[2,4] f32[4,12] | torch.addmm(a, b, c)
f32[9] f32[1,2,4] f32[1,4,12] | torch.baddbmm(a, b, c)
f32[2,4,8,8] f32[2,1,3,3] | aten.convolution.default(a, b, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 4)
f32[2,4,8,8] f32[9,1,3,3] | aten.convolution.default(a, b, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 4)
f32[2,4,8,8] f32[6,3,3,3] | F.conv2d(a, b)
f32[2,4,8,8] bf16[6,4,3,3] | F.conv2d(a, b)
f32[2,4,8,8] f32[6,4,3,3] f32[5] | F.conv2d(a, b, c)
f32[2,4,2,2] f32[6,4,3,3] | F.conv2d(a, b)
f32[2,4,8] f32[6,4,3,3] | F.conv2d(a, b)
f32[2,4,8,8] f32[6,4,3,3] | F.conv_transpose2d(a, b)
f32[2,4,8,8] f32[6,4,3,3] | F.conv2d(a, b, padding="same")
f32[4,1,1] f32[4,1,3,3] | aten.convolution.default(a, b, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
f32[2,2,6,8] f32[2,2,8,6] | aten._scaled_dot_product_flash_attention_for_cpu.default(a, a, b)[0]
bf16[2,4,8,8] bf16[4] bf16[4] | F.group_norm(a, 2, b, c)
"""

if __name__ == "__main__":
    given = sys.stdin.read() if sys.argv[1:] == ["-"] and __file__ != "<stdin>" else CASES
    cases = [line for line in given.strip().split("\n") if line]
    for line in cases:
        print(json.dumps(run(line)))
    print(len(cases), "cases", file=sys.stderr)
