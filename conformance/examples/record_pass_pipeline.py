"""Records the example vllm-pass-pipeline: the graph after each stage of vLLM's manager and of Inductor's passes after it.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py); vLLM's helpers are this project's:

    python3 conformance/examples/record_pass_pipeline.py FOLDER_WITH_RECORD_PY OUT

`OUT/fx_graph_readable.py` is the graph; `OUT/vllm-pass-pipeline` gets one text per stage, in the order of the stages.
"""

import pathlib
import sys

import torch
import vllm_stub

root = vllm_stub.root
examples = root / "public" / "examples"
example = examples / "vllm-pass-pipeline"
sys.path[:0] = [sys.argv[1], str(vllm_stub.folder), str(example), str(examples / "vllm-rms-norm-quant")]
out = pathlib.Path(sys.argv[2]) / example.name
out.mkdir(parents=True, exist_ok=True)

import record  # noqa: E402
from _fusescope import environment  # noqa: E402
from torch._inductor.fx_passes.post_grad import decompose_auto_functionalized  # noqa: E402
from torch._inductor.fx_passes.reinplace import reinplace_inplaceable_ops  # noqa: E402
from torch._inductor.fx_utils import FakeTensorUpdater  # noqa: E402
from torch._inductor.virtualized import V  # noqa: E402

TOKENS, HIDDEN, INNER, EPS, BLOCKS = 48, 256, 512, 1e-6, 2
BF16, FP8 = torch.bfloat16, torch.float8_e4m3fn
C = torch.ops._C


def quantised(x, scale):
    codes = torch.empty(x.shape, dtype=FP8)
    C.static_scaled_fp8_quant(codes, x, scale)
    return codes


def model(ids, embedding, blocks, last):
    x, residual = torch.nn.functional.embedding(ids, embedding), None
    for w in blocks:
        if residual is None:
            normed, residual = torch.empty_like(x), x
            C.rms_norm(normed, x, w["norm"], EPS)
        else:
            C.fused_add_rms_norm(x, residual, w["norm"], EPS)
            normed = x
        codes = quantised(normed, w["scale"])
        gate_up = C.fp8_mm(codes, w["up"], w["scale"])
        act = torch.empty(TOKENS, INNER, dtype=BF16)
        C.silu_and_mul(act, gate_up)
        x = C.fp8_mm(quantised(act, w["scale"]), w["down"], w["scale"])
    C.fused_add_rms_norm(x, residual, last, EPS)
    return x


def zeros(*shape, dtype=BF16):
    return torch.zeros(*shape, dtype=dtype)


blocks = [
    {
        "norm": zeros(HIDDEN),
        "scale": zeros(1, 1, dtype=torch.float32),
        "up": zeros(2 * INNER, HIDDEN, dtype=FP8),
        "down": zeros(HIDDEN, INNER, dtype=FP8),
    }
    for _ in range(BLOCKS)
]
gm = record.capture(model, (zeros(TOKENS, dtype=torch.int64), zeros(1000, HIDDEN), blocks, zeros(HIDDEN)), v2=False)


def view_of(node, shape):
    made = gm.graph.call_function(torch.ops.aten.reshape.default, (node, shape))
    with node.meta["val"].fake_mode:
        made.meta["val"] = node.meta["val"].reshape(shape)
    return made


# The capture has no views left that change nothing. A model whose layers know of heads, with a symbolic number of tokens,
# keeps them: what goes into each kernel is taken apart, and put together again.
for call in list(gm.graph.nodes):
    if call.kwargs.get("input") is not None and call.args == (C.static_scaled_fp8_quant.default,):
        with gm.graph.inserting_before(call):
            heads = view_of(call.kwargs["input"], [TOKENS, 4, -1])
            call.update_kwarg("input", view_of(heads, list(call.kwargs["input"].meta["val"].shape)))

readable = gm.print_readable(print_output=False, include_stride=True, include_device=True)
(out / "fx_graph_readable.py").write_text(readable.replace(f"{root}/", ""))

environment.begin({"platform": "cpu", "customOps": ["all"]})
import pass_manager  # noqa: E402


def reinplace(graph):
    mode = next(n for n in graph.nodes if isinstance(n.meta.get("val"), torch.Tensor)).meta["val"].fake_mode
    with V.set_fake_mode(mode):
        reinplace_inplaceable_ops(FakeTensorUpdater(gm), graph)


stages = [*pass_manager.manager.passes, reinplace, decompose_auto_functionalized]
for i, stage in enumerate(stages, 1):
    stage(gm.graph)
    name = getattr(stage, "__name__", type(stage).__name__)
    (out / f"{i}-{name}.txt").write_text(f"{gm.graph}\n")
    print(i, name, len(gm.graph.nodes), getattr(stage, "matched_count", ""))
