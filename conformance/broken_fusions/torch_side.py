"""Records the broken fusions on a real PyTorch 2.14.1, and compares them before and after each fix.

    chroot DIR python3 conformance/broken_fusions/torch_side.py record > cases.jsonl
    chroot DIR python3 conformance/broken_fusions/torch_side.py check < fixes.jsonl > checked.jsonl

A line of fixes.jsonl: `id` of the case, `pattern_py` with the fix made, and what we say of its `numbers`. A line of
checked.jsonl: how often it fires, and ‖before - after‖ / ‖before‖ of the worst output over several inputs (null where dtypes or
shapes differ). The summary goes to stderr.
"""
import json
import os
import sys

import torch
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.pattern_matcher import fwd_only, stable_topological_sort
from torch._inductor.virtualized import V
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fusions  # noqa: E402
import norms_and_activations, quantization, attention_and_routing, registrations_and_sizes, further  # noqa: E401, E402, F401
import ops  # noqa: E402

SCALES = (1.0, 64.0, 0.01)
# Rounding of bfloat16, in which most of the cases compute.
TOLERANCE = 2**-7


def tensor_code(shape):
    """`(16, 32), BF16` gives torch.empty((16, 32), dtype=BF16)."""
    sizes, _, dtype = shape.partition("), ")
    return f"torch.empty({sizes}), dtype={dtype})" if dtype else f"torch.empty({shape})"


def model_source(case):
    examples = ", ".join(tensor_code(shape) for shape in case["args"].values())
    return f"{fusions.HEAD}\n\ndef model({', '.join(case['args'])}):{case['model']}\n\ndef example_args():\n    return ({examples},)\n"


def run(source, name):
    scope = {"__name__": name}
    exec(compile(source, f"{name}.py", "exec"), scope)
    return scope


def traced(case):
    scope = run(model_source(case), "model")
    args = scope["example_args"]()
    mode = FakeTensorMode(shape_env=ShapeEnv()) if case["dynamic"] else FakeTensorMode()
    with mode, V.set_fake_mode(mode):
        gm = fwd_only(scope["model"], [fake(mode, a, case["dynamic"].get(name)) for name, a in zip(case["args"], args)])
    if case["reshapes"]:
        view_to_reshape(gm)
    return gm, args


def fake(mode, tensor, dynamic):
    if dynamic is None:
        return mode.from_tensor(tensor)
    sizes = [DimDynamic.DYNAMIC if i in dynamic else DimDynamic.STATIC for i in range(tensor.dim())]
    return mode.from_tensor(tensor, symbolic_context=StatelessSymbolicContext(dynamic_sizes=sizes))


def apply(pattern_py, gm):
    """Number of matches; 0 if the pass raises."""
    patterns = run(pattern_py, "user_pattern")["patterns"]
    mode = next(n.meta["val"].fake_mode for n in gm.graph.nodes if n.op == "placeholder")
    with V.set_fake_mode(mode):
        return patterns.apply(gm.graph)


def inputs(args, scale, seed):
    torch.manual_seed(seed)
    return [(torch.randn(a.shape) * scale).to(a.dtype) if a.numel() > 1 else torch.full(a.shape, 0.05, dtype=a.dtype) for a in args]


def record(case):
    gm, _ = traced(case)
    pattern_py = fusions.HEAD + case["pattern"]
    graph, readable = str(gm.graph), gm.print_readable(print_output=False, include_stride=True, include_device=True)
    try:
        count = apply(pattern_py, gm)
    except RuntimeError:
        count = 0
    return {k: case[k] for k in ("id", "title", "causes")} | {
        "family": "broken_fusions", "quick": case["quick"], "pattern_py": pattern_py, "graph": graph, "readable": readable,
        "expected": {"passes": [{"pass": "patterns", "count": count}]},
    }


def difference(before, after):
    if len(before) != len(after):
        return None
    worst = 0.0
    for a, b in zip(before, after):
        if a.dtype != b.dtype or a.shape != b.shape:
            return None
        a, b = a.double(), b.double()
        kept = torch.isfinite(a) & torch.isfinite(b)
        if not torch.equal(torch.isnan(a), torch.isnan(b)):
            return float("inf")
        error = (a - b)[kept].norm().item()
        worst = max(worst, error / (a[kept].norm().item() or 1.0))
    return worst


def check(case, pattern_py):
    gm, args = traced(case)
    made = [inputs(args, scale, seed) for seed, scale in enumerate(SCALES)]
    before = [gm(*[i.clone() for i in given]) for given in made]
    fires = apply(pattern_py, gm)
    # A replacement may be inserted above one of its inputs.
    stable_topological_sort(gm.graph)
    gm.graph.lint()
    gm.recompile()
    after = [gm(*[i.clone() for i in given]) for given in made]
    found = [difference(b, a) for b, a in zip(before, after)]
    return {"fires": fires, "difference": None if None in found else max(found)}


def isolated(work):
    """Runs in a separate process: a pattern's file may declare operators."""
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            done = work()
        except Exception as error:
            done = {"error": f"{type(error).__name__}: {error}"[:500]}
        with os.fdopen(write, "w") as out:
            out.write(json.dumps(done))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as back:
        text = back.read()
    os.wait()
    return json.loads(text)


if __name__ == "__main__":
    ops.declare()
    by_id = {c["id"]: c for c in fusions.CASES}
    if sys.argv[1] == "record":
        for c in fusions.CASES:
            done = isolated(lambda: record(c))
            print(json.dumps(done if "error" not in done else done | {"id": c["id"]}))
    else:
        checked = []
        for line in sys.stdin:
            fix = json.loads(line)
            told = {k: fix.get(k) for k in ("id", "title", "numbers")}
            checked.append(told | isolated(lambda: check(by_id[fix["id"]], fix["pattern_py"])))
            print(json.dumps(checked[-1]), flush=True)
        green = [c for c in checked if c["numbers"] in ("equal", "close")]
        fired = [c for c in green if c.get("fires", 0) > 0]
        held = [c for c in fired if c["difference"] is not None and c["difference"] < TOLERANCE]
        print(f"green: {len(green)}; fired: {len(fired)}; numbers held: {len(held)}", file=sys.stderr)
