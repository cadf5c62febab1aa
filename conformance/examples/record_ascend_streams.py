"""Records the graphs of the example ascend-streams before and after the graph compiler's patterns.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py):

    python3 conformance/examples/record_ascend_streams.py FOLDER_WITH_RECORD_PY OUT

A PatternMatcherPass replaces `npugraph_ex`. `OUT` gets NAME.readable.txt, with the stream labels as
print_readable(additional_meta=["stream_label"]) prints them, and NAME.after.txt.
"""

import enum
import logging
import pathlib
import sys
import types

import torch
from torch._inductor import pattern_matcher as pm

example = pathlib.Path(__file__).parents[2] / "public" / "examples" / "ascend-add-rms-norm-mx-quant"
sys.path[:0] = [sys.argv[1], str(example)]
out = pathlib.Path(sys.argv[2])

import record  # noqa: E402

BF16, FP8 = torch.bfloat16, torch.float8_e4m3fn
compiler = pm.PatternMatcherPass(pass_name="npugraph_ex")


class Chip(enum.Enum):
    A5 = 3


class Config:
    model_config = types.SimpleNamespace(dtype=BF16)


def register(search_fn, replace_fn, example_inputs, extra_check):
    pm.register_replacement(search_fn, replace_fn, example_inputs, pm.fwd_only, compiler, extra_check=extra_check)


def stand_in(name, **attributes):
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module


stand_in("vllm"), stand_in("vllm_ascend")
stand_in("vllm.config", VllmConfig=Config)
stand_in("vllm.logger", init_logger=logging.getLogger)
stand_in("vllm_ascend.utils", AscendDeviceType=Chip, get_ascend_device_type=lambda: Chip.A5)
stand_in("torch_npu", npu_dynamic_mx_quant=None, npu_add_rms_norm_dynamic_mx_quant=None)
stand_in("npugraph_ex", register_replacement=register)
import norm_quant_fusion_pass  # noqa: E402,F401 - registers

npu = torch.ops.npu
lib = torch.library.Library("npu", "FRAGMENT")
lib.define("npu_quant_matmul(Tensor a, Tensor b, Tensor s) -> Tensor")
torch.library.register_fake(
    "npu::npu_quant_matmul", lambda a, b, s: torch.empty(a.shape[0], b.shape[1], dtype=BF16), lib=lib
)

# By layer: the epsilon of its norm.
EPSILONS = [1e-6, 1e-5, 1e-6, 1e-5]


def model(x, layers):
    residual = torch.zeros_like(x)
    for w, eps in zip(layers, EPSILONS):
        normed, _, residual = npu.npu_add_rms_norm(x, residual, w["norm"], eps)
        codes, scales = npu.npu_dynamic_mx_quant(normed, dst_type=FP8)
        x = npu.npu_quant_matmul(codes, w["w"], scales)
    return x, residual


def labeled(gm, labels):
    """Assigns streams to the norm and the quantization of each layer; None is the default stream."""
    for target, stream in (("npu_add_rms_norm", 0), ("npu_dynamic_mx_quant", 1)):
        nodes = gm.graph.find_nodes(op="call_function", target=getattr(npu, target).default)
        for node, label in zip(nodes, labels):
            for n in (node, *node.users):
                if label[stream] is not None:
                    n.meta["stream_label"] = label[stream]


GRAPHS = {
    "one_stream": [(None, None), (None, None), ("quant", "quant"), ("quant", "quant")],
    "two_streams": [(None, None), (None, "quant"), ("quant", "quant"), ("norm", "quant")],
}
layers = [{"norm": torch.zeros(256, dtype=BF16), "w": torch.zeros(256, 256, dtype=FP8)} for _ in EPSILONS]
for name, labels in GRAPHS.items():
    gm = record.capture(model, (torch.zeros(48, 256, dtype=BF16), layers), v2=False)
    labeled(gm, labels)
    readable = gm.print_readable(
        print_output=False, include_stride=True, include_device=True, additional_meta=["stream_label"]
    )
    (out / f"{name}.readable.txt").write_text(readable)
    record._log = []
    count = compiler.apply(gm.graph)
    attempts, record._log = record._log, None
    (out / f"{name}.after.txt").write_text(f"{gm.graph}\n")
    print(f"{name}: {len(record._entries(compiler))} entries, count {count}, {len(attempts)} attempts")
