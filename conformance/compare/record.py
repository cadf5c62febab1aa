"""Records one model in several forms, as a post-grad pass sees it: dumps before and after a user's change.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py):

    python3 conformance/compare/record.py FOLDER_WITH_RECORD_PY OUT.jsonl

The model has two layers; the second one has the form, the first one is always the same. A line is {form, graph}.
"""

import json
import sys

sys.path.insert(0, sys.argv[1])

import record  # noqa: E402
import torch  # noqa: E402

F = torch.nn.functional
HALF = torch.float16


def rms(x, w, eps=1e-6):
    v = x.float()
    v = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    return (v * w).to(x.dtype)


def without_upcast(x, w):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w


def swapped(x, w):
    v = x.float()
    v = torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + 1e-6) * v
    return (v * w).to(x.dtype)


def squared(x, w):
    v = x.float()
    v = v * torch.rsqrt((v * v).mean(-1, keepdim=True) + 1e-6)
    return (v * w).to(x.dtype)


def weight_after_cast(x, w):
    v = x.float()
    v = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + 1e-6)
    return v.to(x.dtype) * w.to(x.dtype)


def sum_and_div(x, w):
    v = x.float()
    mean = v.pow(2).sum(-1, keepdim=True) / x.shape[-1]
    return (v * torch.rsqrt(mean + 1e-6) * w).to(x.dtype)


def div_by_sqrt(x, w):
    v = x.float()
    return (v / torch.sqrt(v.pow(2).mean(-1, keepdim=True) + 1e-6) * w).to(x.dtype)


def same(t):
    return t


def layer(x, w, a, b, norm=rms, act=F.silu, after_norm=same, gate=same):
    h = after_norm(norm(x, w))
    return x + torch.mm(act(gate(torch.mm(h, a))) * torch.mm(h, b), a.t())


def normalized_twice(x, w, a, b):
    v = x.float()
    n = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + 1e-6)
    h = (n * w).to(x.dtype)
    return x + torch.mm(F.silu(torch.mm(h, a)) * torch.mm(h, b), a.t()) + n.to(x.dtype)


def of(**form):
    return lambda *args: layer(*args, **form)


FORMS = {
    "base": layer,
    "epsilon": of(norm=lambda x, w: rms(x, w, 1e-5)),
    "without upcast": of(norm=without_upcast),
    "operands swapped": of(norm=swapped),
    "square by mul": of(norm=squared),
    "weight after the cast": of(norm=weight_after_cast),
    "mean by sum and div": of(norm=sum_and_div),
    "division by sqrt": of(norm=div_by_sqrt),
    "second user": normalized_twice,
    "reshape": of(after_norm=lambda t: t.reshape(4, 4, 32).transpose(0, 1).reshape(16, 32)),
    "contiguous": of(gate=lambda t: t.t().contiguous().t()),
    "gelu": of(act=F.gelu),
    "relu": of(act=F.relu),
    "scale": of(gate=lambda t: t * 0.5),
    "clamp": of(gate=lambda t: t.clamp(max=10.0)),
}


def inputs(dtype=HALF, rows=16, weight=torch.float32):
    square = [torch.empty(32, 32, dtype=dtype) for _ in range(2)]
    return [torch.empty(rows, 32, dtype=dtype), torch.empty(32, dtype=weight), *square]


def graph(form, args):
    gm = record.capture(lambda x, w, a, b: form(layer(x, w, a, b), w, a, b), args)
    text = gm.print_readable(print_output=False, include_stride=True, include_device=True)
    return "".join(line for line in text.splitlines(keepends=True) if "# File:" not in line)


graphs = {name: graph(form, inputs()) for name, form in FORMS.items()}
graphs["bfloat16"] = graph(layer, inputs(torch.bfloat16))
graphs["more rows"] = graph(layer, inputs(rows=24))
graphs["half weight"] = graph(layer, inputs(weight=HALF))
with open(sys.argv[2], "w") as f:
    for name, text in graphs.items():
        f.write(json.dumps({"form": name, "graph": text}) + "\n")
