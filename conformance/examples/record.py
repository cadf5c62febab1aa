"""Records PyTorch's results on the examples in public/examples: graphs, match counts and rewritten graphs.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py):

    python3 conformance/examples/record.py FOLDER_WITH_RECORD_PY OUT [rms] [silu] [ascend]

`OUT` gets NAME.before.txt, NAME.readable.txt and NAME.after.txt; each count and the entries that fired are printed.
"""

import collections
import enum
import logging
import pathlib
import sys
import types

import torch

examples = pathlib.Path(__file__).parents[2] / "public" / "examples"
FOLDERS = ["silu-mul-block-quant", "rms-norm-int8", "ascend-add-rms-norm-mx-quant"]
sys.path[:0] = [sys.argv[1], *(str(examples / name) for name in FOLDERS)]
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


def stand_in(name, **attributes):
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module


def ascend():
    """A decoder of 8 layers, each with two norms followed by a quantized product; the last norm has a different epsilon."""

    class Chip(enum.Enum):
        A5 = 3

    class Config:
        model_config = types.SimpleNamespace(dtype=BF16)

    stand_in("vllm"), stand_in("vllm_ascend")
    stand_in("vllm.config", VllmConfig=Config)
    stand_in("vllm.logger", init_logger=logging.getLogger)
    stand_in("vllm_ascend.utils", AscendDeviceType=Chip, get_ascend_device_type=lambda: Chip.A5)
    stand_in("torch_npu", npu_dynamic_mx_quant=None, npu_add_rms_norm_dynamic_mx_quant=None)
    stand_in("npugraph_ex", register_replacement=lambda **given: None)
    import norm_quant_fusion_pass as fusion

    npu = torch.ops.npu
    lib = torch.library.Library("npu", "FRAGMENT")
    lib.define("npu_quant_matmul(Tensor a, Tensor b, Tensor s) -> Tensor")
    lib.define("npu_swiglu(Tensor x) -> Tensor")
    lib.define("npu_fused_infer_attention_score(Tensor q, Tensor k, Tensor v) -> Tensor")
    fake = torch.library.register_fake
    fake("npu::npu_quant_matmul", lambda a, b, s: torch.empty(a.shape[0], b.shape[1], dtype=BF16), lib=lib)
    fake("npu::npu_swiglu", lambda x: torch.empty(x.shape[0], x.shape[1] // 2, dtype=BF16), lib=lib)
    fake("npu::npu_fused_infer_attention_score", lambda q, k, v: torch.empty_like(q), lib=lib)

    def norm_quant(x, residual, weight, eps):
        out = npu.npu_add_rms_norm(x, residual, weight, eps)
        q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        return q[0], q[1], out[2]

    def model(x, layers, norm, head):
        residual = torch.zeros_like(x)
        for w in layers:
            q, s, residual = norm_quant(x, residual, w["n1"], 1e-6)
            a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
            x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
            q, s, residual = norm_quant(x, residual, w["n2"], 1e-6)
            x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        q, s, _ = norm_quant(x, residual, norm, 1e-5)
        return npu.npu_quant_matmul(q, head, s)

    def zeros(*shape, dtype=BF16):
        return torch.zeros(*shape, dtype=dtype)

    layers = [
        {
            "n1": zeros(HIDDEN),
            "qkv": zeros(HIDDEN, 3 * HIDDEN, dtype=FP8),
            "o": zeros(HIDDEN, HIDDEN),
            "n2": zeros(HIDDEN),
            "gu": zeros(HIDDEN, 2 * INNER, dtype=FP8),
            "dn": zeros(INNER, HIDDEN),
        }
        for _ in range(8)
    ]
    args = (zeros(TOKENS, HIDDEN), layers, zeros(HIDDEN), zeros(HIDDEN, VOCAB, dtype=FP8))
    write("ascend-add-rms-norm-mx-quant", record.capture(model, args, v2=False), fusion.patterns)


EXAMPLES = {"rms": rms_norm_int8, "silu": silu_mul_block_quant, "ascend": ascend}
for name in sys.argv[3:] or EXAMPLES:
    EXAMPLES[name]()
