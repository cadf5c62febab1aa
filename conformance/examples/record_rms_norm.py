"""Records the example vllm-rms-norm-quant: a feed-forward with each quantization, with kernels and in plain torch.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py); vLLM's helpers are this project's:

    python3 conformance/examples/record_rms_norm.py FOLDER_WITH_RECORD_PY OUT

`OUT/graphs` gets one print_readable per graph, `OUT/vllm-rms-norm-quant` the graph after each, and `counts.json` there
how often each entry fired and how many attempts it took, by graph.
"""

import json
import pathlib
import sys

import torch
import vllm_stub

root = vllm_stub.root
example = root / "public" / "examples" / "vllm-rms-norm-quant"
sys.path[:0] = [sys.argv[1], str(vllm_stub.folder), str(example)]
out = pathlib.Path(sys.argv[2])

import record  # noqa: E402
from _fusescope import environment  # noqa: E402

TOKENS, HIDDEN, INNER, EPS, BLOCKS = 48, 256, 512, 1e-6, 3
BF16, FP8 = torch.bfloat16, torch.float8_e4m3fn
C = torch.ops._C
QUANTISATIONS = ["static", "token", "group128", "group64"]


def kernel_norm(x, weight, residual):
    if residual is None:
        normed = torch.empty_like(x)
        C.rms_norm(normed, x, weight, EPS)
        return normed, x
    C.fused_add_rms_norm(x, residual, weight, EPS)
    return x, residual


def plain_norm(x, weight, residual):
    from vllm.model_executor.layers.layernorm import RMSNorm

    made = RMSNorm.forward_static(x, EPS, HIDDEN, BF16, weight, residual)
    return (made, x) if residual is None else made


def kernel_quant(quantisation):
    def quant(x, scale):
        codes = torch.empty(x.shape, dtype=FP8)
        if quantisation == "static":
            C.static_scaled_fp8_quant(codes, x, scale)
        elif quantisation == "token":
            scale = torch.empty((x.shape[0], 1), dtype=torch.float32)
            C.dynamic_per_token_scaled_fp8_quant(codes, x, scale, None)
        else:
            group = int(quantisation.removeprefix("group"))
            scale = torch.empty((x.shape[0], x.shape[1] // group), dtype=torch.float32)
            C.per_token_group_fp8_quant(x, codes, scale, group, 1e-10, -448.0, 448.0, False, False, False)
        return codes, scale

    return quant


def plain_quant(quantisation):
    from vllm.model_executor.layers.quantization.input_quant_fp8 import QuantFP8
    from vllm.model_executor.layers.quantization.utils.quant_utils import GroupShape

    shapes = {"static": GroupShape.PER_TENSOR, "token": GroupShape.PER_TOKEN}
    shape = shapes.get(quantisation) or GroupShape(1, int(quantisation.removeprefix("group")))
    layer = QuantFP8(quantisation == "static", shape, compile_native=False)
    return lambda x, scale: layer.forward_native(x, scale if quantisation == "static" else None)


def zeros(*shape, dtype=BF16):
    return torch.zeros(*shape, dtype=dtype)


def model_of(norm, quant):
    def model(ids, embedding, blocks, last):
        x, residual = torch.nn.functional.embedding(ids, embedding), None
        for w in blocks:
            normed, residual = norm(x, w["norm"], residual)
            codes, scale = quant(normed, w["scale"])
            gate, up = C.fp8_mm(codes, w["up"], scale).chunk(2, -1)
            x = torch.nn.functional.linear(torch.nn.functional.silu(gate) * up, w["down"])
        return norm(x, last, residual)[0]

    blocks = [
        {
            "norm": zeros(HIDDEN),
            "scale": zeros(1, 1, dtype=torch.float32),
            "up": zeros(2 * INNER, HIDDEN, dtype=FP8),
            "down": zeros(HIDDEN, INNER),
        }
        for _ in range(BLOCKS)
    ]
    return model, (zeros(TOKENS, dtype=torch.int64), zeros(1000, HIDDEN), blocks, zeros(HIDDEN))


def patterns_with(custom_ops):
    environment.begin({"platform": "cpu", "customOps": custom_ops})
    sys.modules.pop("rms_norm_quant_fusion", None)
    import rms_norm_quant_fusion

    return rms_norm_quant_fusion.patterns


def apply(patterns, graph):
    """The count, the attempts, and how often each entry fired: it is applied once for each match it makes."""
    entries = record._entries(patterns)
    fired = [0] * len(entries)

    def counting(i, entry):
        inner = entry.apply

        def call(match, graph, node):
            fired[i] += 1
            return inner(match, graph, node)

        return call

    for i, entry in enumerate(entries):
        entry.apply = counting(i, entry)
    record._log = []
    count = patterns.apply(graph)
    attempts, record._log = record._log, None
    return {"count": count, "attempts": len(attempts), "fired": fired}


counts = {}
(out / "graphs").mkdir(parents=True, exist_ok=True)
(out / example.name).mkdir(exist_ok=True)
for way, custom_ops in (("kernels", ["all"]), ("plain", ["none"])):
    for quantisation in QUANTISATIONS:
        patterns = patterns_with(custom_ops)
        norm, quant = (
            (kernel_norm, kernel_quant(quantisation)) if way == "kernels" else (plain_norm, plain_quant(quantisation))
        )
        gm = record.capture(*model_of(norm, quant), v2=False)
        name = f"{quantisation}_{way}.txt"
        readable = gm.print_readable(print_output=False, include_stride=True, include_device=True)
        (out / "graphs" / name).write_text(readable.replace(f"{root}/", "").replace(f"{vllm_stub.folder}/", ""))
        counts[name] = {"customOps": custom_ops, **apply(patterns, gm.graph)}
        (out / example.name / name).write_text(f"{gm.graph}\n")
        print(name, counts[name])
lines = [f"  {json.dumps(name)}: {json.dumps(found)}" for name, found in counts.items()]
(out / example.name / "counts.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
