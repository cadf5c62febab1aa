"""Records the example vllm-block-quant-variants: one graph per variant, and the flagship's pattern that fires on it.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py):

    python3 conformance/examples/record_variants.py FOLDER_WITH_RECORD_PY OUT

`OUT/graphs` gets one print_readable per variant, named by its settings; `OUT/variants.matrix.json` the graphs in the
order of the registrations, and by graph how often each entry fired.
"""

import itertools
import json
import pathlib
import sys

import torch

flagship = pathlib.Path(__file__).parents[2] / "public" / "examples" / "silu-mul-block-quant"
sys.path[:0] = [sys.argv[1], str(flagship)]
out = pathlib.Path(sys.argv[2])

import activation_quant_fusion as fusion  # noqa: E402
import record  # noqa: E402

TOKENS, HIDDEN, INNER = 48, 256, 512
BF16, FP8 = torch.bfloat16, torch.float8_e4m3fn
C = torch.ops._C
lib = torch.library.Library("_C", "FRAGMENT")
lib.define("fp8_block_mm(Tensor a, Tensor b, Tensor s) -> Tensor")
torch.library.register_fake(
    "_C::fp8_block_mm", lambda a, b, s: torch.empty(a.shape[0], b.shape[0], dtype=BF16), lib=lib
)


def feed_forward(x, gate_up, down, group, transposed, e8m0, tma):
    hidden = torch.nn.functional.linear(x, gate_up)
    act = torch.empty(TOKENS, INNER, dtype=BF16)
    C.silu_and_mul(act, hidden)
    codes = torch.empty(TOKENS, INNER, dtype=FP8)
    if transposed:
        scales = torch.empty(INNER // group, TOKENS, dtype=torch.float32).permute(-1, -2)
    else:
        scales = torch.empty(TOKENS, INNER // group, dtype=torch.float32)
    C.per_token_group_fp8_quant(act, codes, scales, group, 1e-10, -448.0, 448.0, e8m0, transposed, tma)
    return C.fp8_block_mm(codes, down, scales)


def fired_on(gm, entries):
    """Number of matches by entry, in the order of registration: an entry is applied once per match."""
    counts = [0] * len(entries)

    def counting(i, apply):
        def call(match, graph, node):
            counts[i] += 1
            return apply(match, graph, node)

        return call

    for i, entry in enumerate(entries):
        entry.apply = counting(i, type(entry).apply.__get__(entry))
    assert fusion.patterns.apply(gm.graph) == sum(counts)
    for entry in entries:
        del entry.apply
    return counts


def zeros(*shape, dtype=BF16):
    return torch.zeros(*shape, dtype=dtype)


args = (zeros(TOKENS, HIDDEN), zeros(2 * INNER, HIDDEN), zeros(HIDDEN, INNER, dtype=FP8))
entries = record._entries(fusion.patterns)
matrix = {}
(out / "graphs").mkdir(parents=True, exist_ok=True)
# The order of the registrations.
for group, transposed, e8m0, tma in itertools.product([128, 64], [False, True], [True, False], [False, True]):
    words = [str(group), "transposed" if transposed else "", "e8m0" if e8m0 else "f32", "tma" if tma else ""]
    name = "_".join(filter(None, words))
    gm = record.capture(lambda *a: feed_forward(*a, group, transposed, e8m0, tma), args, v2=False)
    text = gm.print_readable(print_output=False, include_stride=True, include_device=True)
    (out / "graphs" / f"{name}.txt").write_text(text)
    matrix[f"graphs/{name}.txt"] = fired_on(gm, entries)
    print(name, matrix[f"graphs/{name}.txt"])
lines = [f"  {json.dumps(name)}: {json.dumps(fired)}" for name, fired in matrix.items()]
(out / "variants.matrix.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
