"""Records what PyTorch does with the two examples in public/examples: their graphs, counts and the graphs after.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py):

    python3 conformance/examples/record.py FOLDER_WITH_RECORD_PY OUT

`OUT` gets NAME.before.txt, NAME.readable.txt and NAME.after.txt; each count and the entries that fired are printed.
"""

import collections
import pathlib
import sys

import torch

examples = pathlib.Path(__file__).parents[2] / "public" / "examples"
sys.path[:0] = [sys.argv[1], str(examples / "silu-mul-block-quant"), str(examples / "rms-norm-int8")]
out = pathlib.Path(sys.argv[2])

import record  # noqa: E402

TOKENS, HIDDEN, INNER, VOCAB, GROUP, LAYERS = 48, 256, 512, 1000, 128, 32
BF16, FP8 = torch.bfloat16, torch.float8_e4m3fn


def write(name, gm, patterns):
    (out / f"{name}.before.txt").write_text(f"{gm.graph}\n")
    readable = gm.print_readable(print_output=False, include_stride=True, include_device=True)
    (out / f"{name}.readable.txt").write_text(readable)
    entries = record._entries(patterns)
    record._log = []
    count = patterns.apply(gm.graph)
    attempts, record._log = record._log, None
    index = {id(e.pattern): i for i, e in enumerate(entries)}
    fired = collections.Counter(index[id(a["pattern"])] for a in attempts if a["ok"] and id(a["pattern"]) in index)
    (out / f"{name}.after.txt").write_text(f"{gm.graph}\n")
    print(f"{name}: {len(entries)} entries, count {count}, fired {dict(fired)}, {len(attempts)} attempts")


def rms_norm_int8():
    import fusion

    gm = record.capture(fusion.compiled_function, (torch.empty(5, 4), torch.empty(5, 1)), v2=False)
    write("rms-norm-int8", gm, fusion.patterns)


def silu_mul_block_quant():
    """A decoder of 32 layers with vLLM's operators, small enough to capture in seconds."""
    import activation_quant_fusion as fusion

    c = torch.ops._C
    lib = torch.library.Library("_C", "FRAGMENT")
    lib.define("unified_attention_with_output(Tensor q, Tensor k, Tensor v, Tensor! output) -> ()")
    lib.define("fp8_block_mm(Tensor a, Tensor b, Tensor s) -> Tensor")
    torch.library.register_fake("_C::unified_attention_with_output", lambda *args: None, lib=lib)
    torch.library.register_fake(
        "_C::fp8_block_mm", lambda a, b, s: torch.empty(a.shape[0], b.shape[0], dtype=BF16), lib=lib
    )
    linear = torch.nn.functional.linear

    def rms(x, w):
        f = x.to(torch.float32)
        return w * (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-6)).to(BF16)

    def model(ids, embedding, layers, norm, head):
        x = torch.nn.functional.embedding(ids, embedding)
        for w in layers:
            q, k, v = linear(rms(x, w["n1"]), w["qkv"]).split([HIDDEN, HIDDEN // 2, HIDDEN // 2], -1)
            attention = torch.empty(TOKENS, HIDDEN, dtype=BF16)
            heads = [t.view(-1, n, HIDDEN // 4) for t, n in ((q, 4), (k, 2), (v, 2))]
            c.unified_attention_with_output(*heads, attention)
            x = x + linear(attention, w["o"])
            gate_up = linear(rms(x, w["n2"]), w["gu"])
            act = torch.empty(TOKENS, INNER, dtype=BF16)
            c.silu_and_mul(act, gate_up)
            codes = torch.empty(TOKENS, INNER, dtype=FP8)
            scales = torch.empty(TOKENS, INNER // GROUP, dtype=torch.float32)
            c.per_token_group_fp8_quant(act, codes, scales, GROUP, 1e-10, -448.0, 448.0, False, False, False)
            x = x + c.fp8_block_mm(codes, w["dn"], scales)
        return linear(rms(x, norm), head)

    def zeros(*shape, dtype=BF16):
        return torch.zeros(*shape, dtype=dtype)

    layers = [
        {
            "n1": zeros(HIDDEN),
            "qkv": zeros(2 * HIDDEN, HIDDEN),
            "o": zeros(HIDDEN, HIDDEN),
            "n2": zeros(HIDDEN),
            "gu": zeros(2 * INNER, HIDDEN),
            "dn": zeros(HIDDEN, INNER, dtype=FP8),
        }
        for _ in range(LAYERS)
    ]
    args = (zeros(TOKENS, dtype=torch.int64), zeros(VOCAB, HIDDEN), layers, zeros(HIDDEN), zeros(VOCAB, HIDDEN))
    write("silu-mul-block-quant", record.capture(model, args, v2=False), fusion.patterns)


rms_norm_int8()
silu_mul_block_quant()
