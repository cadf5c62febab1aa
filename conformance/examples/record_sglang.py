"""Records PyTorch's results on the nine examples of SGLang's fusions in public/examples/sglang-*.

Runs on a real PyTorch 2.14.1, from a copy of the repository, beside the recorder of the recordings (record.py):

    python3 conformance/examples/record_sglang.py FOLDER_WITH_RECORD_PY OUT [ID…]

`OUT` gets ID.before.txt, ID.readable.txt and ID.after.txt for each example; counts and what fired are printed.
"""

import collections
import contextlib
import importlib
import pathlib
import sys
import types

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

root = pathlib.Path(__file__).parents[2]
examples = root / "public" / "examples"
sys.path.insert(0, sys.argv[1])
out = pathlib.Path(sys.argv[2])

import catalog  # noqa: E402
import record  # noqa: E402

HALF, BF16, FP8 = torch.float16, torch.bfloat16, torch.float8_e4m3fn
TOKENS, HIDDEN, INNER = 48, 128, 256
RANKS = 2
aten, kernel = torch.ops.aten, torch.ops.sgl_kernel
_libraries = {}


def direct_register_custom_op(op_name, op_func, mutates_args, fake_impl=None, target_lib=None):
    library = target_lib or torch.library.Library("sglang", "FRAGMENT")
    _libraries[op_name] = library
    library.define(op_name + torch.library.infer_schema(op_func, mutates_args=mutates_args))
    library.impl(op_name, op_func, "CompositeExplicitAutograd")
    if fake_impl is not None:
        library._register_fake(op_name, fake_impl)


class SGLangInductorPass:
    def __init__(self):
        self.pass_name = type(self).__name__


def all_reduce(x):
    reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
    return torch.ops._c10d_functional.wait_tensor.default(reduced)


def stand_in(name, **attributes):
    """A stub of an SGLang module with the names that the examples import."""
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module
    return module


def stand_in_for_sglang():
    for name in ("sglang", "sglang.srt", "sglang.srt.compilation", "sglang.srt.configs"):
        stand_in(name)
    stand_in("sglang.srt.utils", direct_register_custom_op=direct_register_custom_op)
    stand_in("sglang.srt.configs.model_config", ModelConfig=lambda: types.SimpleNamespace(dtype=HALF))
    stand_in(
        "sglang.srt.distributed",
        get_tensor_model_parallel_world_size=lambda: RANKS,
        tensor_model_parallel_all_reduce=all_reduce,
    )
    stand_in("sglang.srt.compilation.inductor_pass", SGLangInductorPass=SGLangInductorPass)
    library = _libraries["sgl_kernel"] = torch.library.Library("sgl_kernel", "DEF")
    catalog.declare({"sgl_kernel": library}, at="2025-09")
    torch.library.register_fake(
        "sgl_kernel::fp8_scaled_mm",
        lambda a, b, sa, sb, dtype, bias: torch.empty(a.shape[0], b.shape[1], dtype=dtype),
        lib=library,
    )


def zeros(*shape, dtype=HALF):
    return torch.zeros(*shape, dtype=dtype)


def silu_and_mul(x, act=None):
    act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
    kernel.silu_and_mul(act, x)
    return act


def quant(x, scale, static=True):
    codes = torch.empty(x.shape, dtype=FP8)
    kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
    return codes


def product(codes, w, scale, dtype=HALF):
    return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)


def of_fused_swiglu():
    """12 blocks of a gated feed-forward."""

    def model(x, blocks):
        for up, down in blocks:
            x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        return x

    return model, (zeros(TOKENS, HIDDEN), [(zeros(HIDDEN, 2 * INNER), zeros(INNER, HIDDEN)) for _ in range(12)])


def of_silu_and_mul():
    """8 blocks over a token count of any size; the gate of the last is looked at once more."""

    def model(x, blocks):
        for up, down in blocks:
            gate_up = x @ up
            half = gate_up.shape[-1] // 2
            gate = torch.nn.functional.silu(gate_up[..., :half])
            x = x + (gate * gate_up[..., half:]) @ down
        return x, gate.abs().amax(-1)

    x = zeros(TOKENS, HIDDEN)
    torch._dynamo.mark_dynamic(x, 0)
    return model, (x, [(zeros(HIDDEN, 2 * INNER), zeros(INNER, HIDDEN)) for _ in range(8)])


def of_silu_mul_quant_fp8():
    """8 blocks, of which one measures its scale as it goes."""

    def model(x, blocks, scale):
        for i, (up, down) in enumerate(blocks):
            codes = quant(silu_and_mul(x @ up), scale, static=i != 5)
            x = x + product(codes, down, scale)
        return x

    blocks = [(zeros(HIDDEN, 2 * INNER), zeros(INNER, HIDDEN, dtype=FP8)) for _ in range(8)]
    return model, (zeros(TOKENS, HIDDEN), blocks, torch.ones(1))


def of_up_proj_quant_fp8():
    """6 blocks in float16 and 2 whose product is bfloat16."""

    def model(x, blocks, scale):
        for i, (up, down) in enumerate(blocks):
            gate_up = product(quant(x, scale), up, scale, BF16 if i >= 6 else HALF)
            x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        return x

    blocks = [(zeros(HIDDEN, 2 * INNER, dtype=FP8), zeros(INNER, HIDDEN, dtype=FP8)) for _ in range(8)]
    return model, (zeros(TOKENS, HIDDEN), blocks, torch.ones(1))


def of_fused_moe():
    """4 layers of 8 experts, 2 for each token; which experts were chosen is counted in two of the layers."""
    g = torch.ops.sglang

    def model(x, layers):
        counted = []
        for i, (gate, up, down) in enumerate(layers):
            weights = torch.empty(TOKENS, 2, dtype=torch.float32)
            ids = torch.empty(TOKENS, 2, dtype=torch.int32)
            kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
            act = silu_and_mul(g.grouped_mm(x.repeat(2, 1), up, ids))
            x = x + g.combine(g.grouped_mm(act, down, ids), weights)
            if i % 2 == 1:
                counted.append((ids == 0).sum())
        return x, counted

    layers = [(zeros(HIDDEN, 8), zeros(8, HIDDEN, 2 * INNER), zeros(8, INNER, HIDDEN)) for _ in range(4)]
    return model, (zeros(TOKENS, HIDDEN), layers)


def of_attention_quant_fp8():
    """8 layers, each with its number; the last one's output is also returned as it is."""
    heads, dim = 4, 32

    def model(x, layers, scale):
        for i, (qkv, o) in enumerate(layers):
            q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
            attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
            torch.ops.sglang.attention_with_output(q, k, v, attention, i)
            flat = attention.view(-1, HIDDEN)
            x = x + product(quant(flat, scale), o, scale)
        return x, flat

    layers = [(zeros(HIDDEN, 3 * HIDDEN), zeros(HIDDEN, HIDDEN, dtype=FP8)) for _ in range(8)]
    return model, (zeros(TOKENS, HIDDEN), layers, torch.ones(1))


def of_rms_norm_quant_fp8():
    """6 blocks, two norms each, with 1e-6 before the first product, 1e-5 before the second; the last has 1e-3."""
    fusion = sys.modules["fusion"]

    def model(x, blocks, norm, scale):
        for n1, w1, n2, w2 in blocks:
            x = x + product(fusion.quantise(fusion.rms_norm(x, n1, 1e-6), scale), w1, scale)
            x = x + product(fusion.quantise(fusion.rms_norm(x, n2, 1e-5), scale), w2, scale)
        return fusion.quantise(fusion.rms_norm(x, norm, 1e-3), scale)

    square = (HIDDEN, HIDDEN)
    blocks = [(zeros(HIDDEN), zeros(*square, dtype=FP8), zeros(HIDDEN), zeros(*square, dtype=FP8)) for _ in range(6)]
    return model, (zeros(TOKENS, HIDDEN), blocks, zeros(HIDDEN), torch.ones(1))


def add_norm(x, residual, weight):
    x = all_reduce(x)
    kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
    return x, residual


def of_all_reduce_rms_norm():
    """4 layers over 8 tokens that are decoded and 1024 that are read, whose messages are too large."""

    def model(decoded, prompt, layers):
        results = []
        for x in (decoded, prompt):
            residual = torch.zeros_like(x)
            for weight, w in layers:
                x, residual = add_norm(x @ w, residual, weight)
            results.append(x + residual)
        return results

    layers = [(zeros(HIDDEN), zeros(HIDDEN, HIDDEN)) for _ in range(4)]
    return model, (zeros(8, HIDDEN), zeros(1024, HIDDEN), layers)


def of_all_reduce_rms_norm_quant():
    """6 layers, of which the last two go on in float16."""

    def model(x, layers, scale):
        residual = torch.zeros_like(x)
        for i, (weight, w, w8) in enumerate(layers):
            x, residual = add_norm(x @ w, residual, weight)
            x = x @ w if i >= 4 else product(quant(x, scale), w8, scale)
        return x + residual

    square = (HIDDEN, HIDDEN)
    layers = [(zeros(HIDDEN), zeros(*square), zeros(*square, dtype=FP8)) for _ in range(6)]
    return model, (zeros(TOKENS, HIDDEN), layers, torch.ones(1))


# Example → its model, and the passes that its files define, in the order in which they go.
EXAMPLES = {
    "sglang-fused-swiglu": (of_fused_swiglu, ["fusions.manager"]),
    "sglang-silu-and-mul": (of_silu_and_mul, ["fusion.silu_and_mul"]),
    "sglang-silu-mul-quant-fp8": (of_silu_mul_quant_fp8, ["fusion.silu_mul_quant"]),
    "sglang-up-proj-quant-fp8": (of_up_proj_quant_fp8, ["fusion.up_proj_quant"]),
    "sglang-fused-moe": (of_fused_moe, ["fusion.fused_moe"]),
    "sglang-attention-quant-fp8": (of_attention_quant_fp8, ["fusion.attention_quant"]),
    "sglang-rms-norm-quant-fp8": (of_rms_norm_quant_fp8, ["fusion.rms_norm_quant"]),
    "sglang-all-reduce-rms-norm": (of_all_reduce_rms_norm, ["fusion.all_reduce_norm"]),
    "sglang-all-reduce-rms-norm-quant": (of_all_reduce_rms_norm_quant, ["fusions.with_quant", "fusions.without_quant"]),
}


@contextlib.contextmanager
def fresh_operators():
    """Unloads the previous example's operators, because two examples may declare the same name."""
    kept = set(_libraries)
    yield
    for name in set(_libraries) - kept:
        _libraries.pop(name)._destroy()


def load_example(name, passes):
    """Imports its files anew, because examples use the same file names."""
    folder = examples / name
    for file in folder.glob("*.py"):
        sys.modules.pop(file.stem, None)
    sys.path.insert(0, str(folder))
    with FakeTensorMode():
        for path in passes:
            importlib.import_module(path.split(".")[0])
    sys.path.remove(str(folder))


def captured(name, model, args, v2=True):
    gm = record.capture(model, args, v2=v2, dynamic=None)
    (out / f"{name}.before.txt").write_text(f"{gm.graph}\n")
    readable = gm.print_readable(print_output=False, include_stride=True, include_device=True)
    (out / f"{name}.readable.txt").write_text(readable)
    return gm


def record_example(name):
    make, passes = EXAMPLES[name]
    load_example(name, passes)
    model, args = make()
    gm = captured(name, model, args)
    if name == "sglang-fused-swiglu":
        captured(f"{name}.v1", model, args, v2=False)
    for path in passes:
        module, variable = path.split(".")
        holder = getattr(sys.modules[module], variable)
        patterns = getattr(holder, "passes", [holder])[0].patterns
        entries = record._entries(patterns)
        record._log = []
        count = patterns.apply(gm.graph)
        attempts, record._log = record._log, None
        index = {id(e.pattern): i for i, e in enumerate(entries)}
        fired = collections.Counter(index[id(a["pattern"])] for a in attempts if a["ok"] and id(a["pattern"]) in index)
        print(f"{name} {variable}: {len(entries)} entries, count {count}, ok {dict(fired)}, {len(attempts)} attempts")
    (out / f"{name}.after.txt").write_text(f"{gm.graph}\n")


stand_in_for_sglang()
for name in sys.argv[3:] or EXAMPLES:
    with fresh_operators():
        record_example(name)
