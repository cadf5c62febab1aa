"""Records the results of three of Inductor's post-grad passes on graphs with functionalized custom operators.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py):

    python3 record_post_grad.py FOLDER_WITH_RECORD_PY OUT.jsonl

One line per graph and pass: remove_noop_ops, reinplace_inplaceable_ops, decompose_auto_functionalized with and without
the reinplacing before it. `clones` is what reinplacing left in node.meta["only_clone_these_tensors"].
"""

import copy
import json
import sys

sys.path.insert(0, sys.argv[1])

import record  # noqa: E402
import torch  # noqa: E402
from torch._inductor.fx_passes.post_grad import decompose_auto_functionalized, remove_noop_ops  # noqa: E402
from torch._inductor.fx_passes.reinplace import reinplace_inplaceable_ops  # noqa: E402
from torch._inductor.fx_utils import FakeTensorUpdater  # noqa: E402
from torch._inductor.virtualized import V  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402

SCHEMAS = [
    "act(Tensor! result, Tensor input) -> ()",
    "quant(Tensor! result, Tensor input, Tensor! scale, Tensor? scale_ub, int group=128) -> ()",
    "norm_(Tensor! input, Tensor! residual, Tensor weight, float epsilon) -> ()",
    "maybe(Tensor! x, Tensor? y, Tensor(b!)? z=None) -> ()",
    "count(Tensor(a!) x, float by) -> Tensor",
    "pair(Tensor(a!) x, Tensor y) -> (Tensor, Tensor)",
    "lists(Tensor(a!)[] outs, Tensor x) -> ()",
    "both(Tensor! x, Tensor! y) -> ()",
]
lib = torch.library.Library("mine", "FRAGMENT")
for schema in SCHEMAS:
    lib.define(schema)
fake = torch.library.register_fake
for name in ("act", "quant", "norm_", "maybe", "lists", "both"):
    fake(f"mine::{name}", lambda *args, **kwargs: None, lib=lib)
fake("mine::count", lambda x, by: torch.empty_like(x), lib=lib)
fake("mine::pair", lambda x, y: (torch.empty_like(y), torch.empty_like(y)), lib=lib)
mine, aten = torch.ops.mine, torch.ops.aten


def into_empty(x):
    out = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype)
    mine.act(out, x)
    return out + 1


def chain(x):
    out = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype)
    mine.act(out, x)
    codes = torch.empty_like(out)
    scale = torch.empty(x.shape[0], 1)
    mine.quant(codes, out, scale, None, group=64)
    return codes, scale


def later_use(x, w):
    y = x * 2
    r = x + 1
    z = y.clone()
    mine.norm_(z, r, w, 1e-6)
    return z, r, y


def input_copied_back(x, w):
    r = x + 1
    mine.norm_(x, r, w, 1e-5)
    return r * 2


def input_and_view(x, w):
    a = x.view(-1)
    mine.count(a, 2.0)
    return x.sum(), w


def not_given(x, y):
    a = x + 1
    mine.maybe(a, None)
    b = y + 1
    mine.maybe(b, a, y)
    return a, b


def returns_one(x):
    a = x + 1
    b = mine.count(a, 2.0)
    return a * b


def returns_two(x, y):
    a = x.relu()
    b, c = mine.pair(a, y)
    return a, b, c


def list_argument(x):
    a, b = x + 1, x + 2
    mine.lists([a, b], x)
    return a * b


def slices(x):
    base = x + 1
    mine.act(base[2:6], x)
    return base


def columns(x):
    base = x + 1
    mine.both(base[:, :4], base[:, 4:])
    return base.relu()


def a_row(x):
    base = x + 1
    mine.act(base[3], x)
    return base * 2


def transposed(x):
    base = x + 1
    mine.act(base.t(), x)
    return base * 2


def one_tensor_twice(x):
    a = x + 1
    mine.both(a, a)
    return a


def parts_of_an_input(x, y):
    a, b = x.split([4, 4], -1)
    mine.both(a, b)
    return y + 1


def expanded(x):
    a = torch.zeros(1, 8).expand(4, 8)
    b = a.clone()
    mine.act(b, x)
    return b, a


def only_shape_later(x):
    a = x + 1
    mine.act(a, x)
    return torch.full((a.shape[0],), 1.0)


def two_layers(x, w):
    for _ in range(2):
        y = torch.empty_like(x)
        mine.act(y, x)
        r = x * 2
        mine.norm_(y, r, w, 1e-6)
        x = y + r
    return x


# The joint passes remove no-ops before a post-grad pass could see them, so these are only traced.
def noops(x, y):
    a = x.view(8, 8).clone()
    b = a[0:8].to(torch.float32) + 0
    c = torch.cat([b]).repeat(1, 1)
    d = aten.alias.default(c).reshape(8, 8) * 1
    return d + y.float().ceil().pow(1), x.clone(), aten.alias.default(y)


def noops_of_integers(x, y):
    i = y.to(torch.int64)
    return i.ceil() + i.floor(), torch.nn.functional.pad(x, (0, 0)) + 1, aten.slice(x, 1, 0, 8) * 2


def noops_of_outputs(x, y):
    a = x.relu()
    b = aten.alias(a)
    return a.clone(), b, aten.alias(y), aten.clone(b), aten.view(a, [8, 8])


def noops_of_slices(x, y):
    a = aten.slice(x, 0, 0, 9223372036854775807)
    b = aten.slice(a, 1, 0, 8)
    c = aten.slice(b, 1, 1, 8)
    d = aten.slice_scatter(x, b, 0, 0, 8)
    e = aten.slice_scatter(x, b.neg(), 0, 0, 9223372036854775807)
    return c.neg(), d.neg(), e.neg()


def noops_of_scales(x, y):
    a = aten.mul(x, 1)
    b = aten.add(a, 0)
    c = aten.div(b, 1.0)
    return aten.sub(c, 0.0).neg(), aten.pow(y, 1).neg(), aten.pow(y, 1.0).neg(), aten.copy(x, y.neg()).neg()


X, W = torch.ones(8, 8), torch.ones(8)
NOOPS = {noops: (X, X.clone()), noops_of_integers: (X, X.clone()), noops_of_outputs: (X, X.clone())}
NOOPS |= {noops_of_slices: (X, X.clone()), noops_of_scales: (X, X.clone())}
CASES = {
    into_empty: (X,),
    chain: (X,),
    later_use: (X, W),
    input_copied_back: (X, W),
    input_and_view: (X, W),
    not_given: (X, X.clone()),
    returns_one: (X,),
    returns_two: (X, X.clone()),
    list_argument: (X,),
    slices: (X,),
    columns: (X,),
    a_row: (X,),
    transposed: (X,),
    one_tensor_twice: (X,),
    parts_of_an_input: (X, W),
    expanded: (X,),
    only_shape_later: (X,),
    two_layers: (X, W),
}
DYNAMIC = (into_empty, chain, slices, columns, two_layers)


def reinplace(graph):
    mode = next(n for n in graph.nodes if isinstance(n.meta.get("val"), torch.Tensor)).meta["val"].fake_mode
    with V.set_fake_mode(mode):
        reinplace_inplaceable_ops(FakeTensorUpdater(graph.owning_module), graph)


def both(graph):
    reinplace(graph)
    decompose_auto_functionalized(graph)


PASSES = {
    "reinplace_inplaceable_ops": reinplace,
    "decompose_auto_functionalized": decompose_auto_functionalized,
    "reinplace_and_decompose": both,
}


def readable(gm):
    return gm.print_readable(print_output=False, include_stride=True, include_device=True)


def lines():
    yield {"schemas": SCHEMAS}
    for fn, args in NOOPS.items():
        gm = make_fx(fn, tracing_mode="fake")(*args)
        before, before_readable = str(gm.graph), readable(gm)
        remove_noop_ops(gm.graph)
        yield {
            "id": f"{fn.__name__}:remove_noop_ops",
            "pass": "remove_noop_ops",
            "graph": before,
            "readable": before_readable,
            "after": str(gm.graph),
        }
    for fn, args in CASES.items():
        for dynamic in (False, True):
            if dynamic and fn not in DYNAMIC:
                continue
            for v2 in (False, True):
                for name, apply in PASSES.items():
                    args_now = copy.deepcopy(args)
                    if dynamic:
                        torch._dynamo.reset()
                        torch._dynamo.mark_dynamic(args_now[0], 0)
                    gm = record.capture(fn, args_now, v2=v2)
                    before, before_readable = str(gm.graph), readable(gm)
                    line = {
                        "id": f"{fn.__name__}{'_dynamic' if dynamic else ''}_{'v2' if v2 else 'v1'}:{name}",
                        "pass": name,
                        "graph": before,
                        "readable": before_readable,
                    }
                    try:
                        apply(gm.graph)
                        line["after"] = str(gm.graph)
                    except Exception as e:
                        line["error"] = f"{type(e).__name__}: {e}"
                    if name == "reinplace_inplaceable_ops":
                        key = "only_clone_these_tensors"
                        line["clones"] = {n.name: n.meta[key] for n in gm.graph.nodes if key in n.meta}
                    yield line


with open(sys.argv[2], "w") as out:
    for line in lines():
        out.write(json.dumps(line) + "\n")
