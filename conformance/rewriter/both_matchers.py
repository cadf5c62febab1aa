"""Records what both matchers of PyTorch make of one pattern: `python both_matchers.py > both_matchers.json`.

Each case: a model of ATen operators, traced by make_fx to the graph, and a pattern. `inductor` and `subgraph` count the matches of
register_replacement and of replace_pattern.
"""

import json

import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.subgraph_rewriter import replace_pattern

PRELUDE = "import torch\naten = torch.ops.aten\n"
CASES = {
    "other-float": ("aten.relu.default(aten.mul.Tensor(x, 0.5))", "aten.relu.default(aten.mul.Tensor(x, 0.25))"),
    "int-for-float": ("aten.relu.default(aten.mul.Tensor(x, 2))", "aten.relu.default(aten.mul.Tensor(x, 2.0))"),
    "bool-for-int": ("aten.relu.default(aten.mul.Tensor(x, 1))", "aten.relu.default(aten.mul.Tensor(x, True))"),
    "one-value-twice": ("aten.relu.default(aten.mul.Tensor(x, x))", "aten.relu.default(aten.mul.Tensor(x, y))"),
    "two-values": ("aten.relu.default(aten.mul.Tensor(x, y))", "aten.relu.default(aten.mul.Tensor(x, x))"),
    "swapped": ("aten.add.Tensor(y, aten.relu.default(x))", "aten.add.Tensor(aten.relu.default(x), y)"),
    "keyword-for-default": ("aten.sum.dim_IntList(aten.relu.default(x), [1])", "aten.sum.dim_IntList(aten.relu.default(x), [1], False)"),
    "extra-keyword": ("aten.add.Tensor(aten.relu.default(x), y, alpha=2)", "aten.add.Tensor(aten.relu.default(x), y)"),
    "user-outside": ("aten.exp.default(m := aten.relu.default(x)), m", "aten.exp.default(aten.relu.default(x))"),
    "user-of-output": ("aten.exp.default(m := aten.relu.default(x)), aten.neg.default(aten.exp.default(m))", "aten.relu.default(x)"),
    "argument-is-number": ("aten.relu.default(aten.mul.Tensor(x, 0.5))", "aten.relu.default(aten.mul.Tensor(x, y))"),
    "other-size": ("aten.view.default(aten.relu.default(x), [32])", "aten.view.default(aten.relu.default(x), [16, 2])"),
    "torch-function": ("aten.relu.default(aten.mul.Tensor(x, y))", "torch.relu(x * y)"),
    "overlap": ("aten.relu.default(aten.relu.default(aten.relu.default(x)))", "aten.relu.default(aten.relu.default(x))"),
    "mutation-between": ("aten.exp.default((m := aten.relu.default(x), aten.add_.Tensor(y, 1))[0])", "aten.exp.default(aten.relu.default(x))"),
}


def function(name, value):
    # Inductor traces with an input for each argument, and refuses a pattern that leaves one out.
    args = "x, y" if "y" in value else "x"
    return f"def {name}({args}):\n    return {value}\n"


def replacement(pattern):
    return function("replacement", "aten.neg.default(x)" if "y" not in pattern else "aten.sub.Tensor(x, y)")


def made(source, *names):
    scope = {}
    exec(PRELUDE + source, scope)
    return [scope[name] for name in names]


def tensors(count):
    return [torch.ones(8, 4) for _ in range(count)]


def graph_of(model):
    forward = made(f"def model(x, y):\n    return {model}\n", "model")[0]
    return make_fx(forward, tracing_mode="fake")(*tensors(2))


def inductor(model, source, count):
    search, replace = made(source, "pattern", "replacement")
    found = PatternMatcherPass()
    register_replacement(search, replace, tensors(count), fwd_only, found)
    return found.apply(graph_of(model).graph)


def counted(run):
    try:
        return run()
    except Exception as e:
        return f"{type(e).__name__}: {e}".split("\n")[0]


def record(id, model, pattern):
    source = function("pattern", pattern) + replacement(pattern)
    return {
        "id": id,
        "pattern": source,
        "graph": str(graph_of(model).graph),
        "readable": graph_of(model).print_readable(print_output=False, include_stride=True, include_device=True),
        "inductor": counted(lambda: inductor(model, source, 2 if "y" in pattern else 1)),
        "subgraph": counted(lambda: len(replace_pattern(graph_of(model), *made(source, "pattern", "replacement")))),
    }


print(json.dumps([record(id, *case) for id, case in CASES.items()], indent=1))
