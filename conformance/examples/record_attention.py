"""Records attention: graphs before Inductor's own joint patterns, and the matches of our patterns and PyTorch's.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py):

    python3 conformance/examples/record_attention.py FOLDER_WITH_RECORD_PY OUT

`OUT` gets graphs/FORM.py (print_readable), cases.jsonl (our patterns on each graph, attempt by attempt), counts.json
(matches of ours as functions, of ours serialized, and of Inductor's fuse_attention with the patterns that fired) and
serialized_attention.py (our patterns as PatternPrettyPrinter writes them).
"""

import collections
import copy
import json
import pathlib
import sys

import torch

example = pathlib.Path(__file__).parents[2] / "public" / "examples" / "inductor-attention"
sys.path[:0] = [sys.argv[1], str(example)]
out = pathlib.Path(sys.argv[2])

import record  # noqa: E402
from attention_model import FORMS  # noqa: E402
from attention_patterns import ALL, SCALE  # noqa: E402
from torch._dynamo.utils import counters  # noqa: E402
from torch._inductor import pattern_matcher as pm  # noqa: E402
from torch._inductor.fx_passes import fuse_attention, joint_graph  # noqa: E402
from torch._inductor.fx_passes.post_grad import remove_noop_ops  # noqa: E402


def captured(form):
    """The graph as Inductor's joint patterns see it, after no-op removal."""
    function, inputs = FORMS[form]
    gm = record.capture(function, inputs, where="joint_custom_pre_pass")
    remove_noop_ops(gm.graph)
    gm.graph.lint()
    gm.recompile()
    return gm


def copied(gm):
    return torch.fx.GraphModule(gm, copy.deepcopy(gm.graph))


def serialized():
    """Our patterns as text, each under its name."""
    names = [
        name
        for name in dir(pm)
        if isinstance(getattr(pm, name), type) and issubclass(getattr(pm, name), pm.PatternExpr)
    ]
    texts = []
    for attention in ALL:
        search, _ = attention.functions
        pattern = pm.gen_pattern(search, attention.inputs, pm.fwd_only, {"scale": SCALE})
        texts.append(pm.PatternPrettyPrinter.run(pattern, output_name=attention.name))
    used = sorted(n for n in names if any(f"{n}(" in t for t in texts))
    head = [
        '"""The same patterns in the form that PatternPrettyPrinter writes: nothing is traced to make them.',
        "",
        "Made by conformance/examples/record_attention.py on PyTorch 2.14.1.",
        '"""',
        "",
        "import torch",
        f"from torch._inductor.pattern_matcher import {', '.join(used)}",
        "",
        "aten = torch.ops.aten",
        "prims = torch.ops.prims",
    ]
    return "\n".join(head) + "\n\n" + "\n\n".join(t.rstrip() for t in texts) + "\n"


def inductors_own(gm):
    """The number of matches of fuse_attention on the graph, and its patterns that fire."""
    joint_graph.lazy_init()
    entries = {id(e.pattern): e for es in joint_graph.patterns.patterns.values() for e in es}
    record._log = []
    counters.clear()
    joint_graph.patterns.apply(gm.graph)
    attempts, record._log = record._log, None
    fired = collections.Counter()
    for a in attempts:
        entry = entries.get(id(a["pattern"]))
        name = names.get(id(entry.pattern)) if entry is not None else None
        if a["ok"] and name and name.startswith("_sfdp"):
            fired[name] += 1
    return {"count": counters["inductor"]["fuse_attention"], "matched at first": dict(fired)}


# Inductor registers its patterns without names on the entries: they are noted as they come.
names = {}
register = pm.register_replacement


def noting(search_fn, *args, **kwargs):
    pattern = kwargs.get("search_fn_pattern")
    if pattern is not None:
        names[id(pattern)] = search_fn.__name__
    return register(search_fn, *args, **kwargs)


pm.register_replacement = noting
fuse_attention.gen_register_replacement.__globals__["register_replacement"] = noting

(out / "graphs").mkdir(parents=True, exist_ok=True)
text = serialized()
(out / "serialized_attention.py").write_text(text)
base = (example / "attention_patterns.py").read_text()
functions = base + "\n" + (example / "function_patterns.py").read_text().replace("from attention_patterns import ALL\n", "")
given = (example / "serialized_patterns.py").read_text()
for line in ("import serialized_attention\n", "from attention_patterns import ALL\n"):
    given = given.replace(line, "")
given = base + "\n" + text + "\n" + given.replace("vars(serialized_attention)", "globals()")

counts, cases = {}, []
for form in FORMS:
    gm = captured(form)
    readable = gm.print_readable(print_output=False, include_stride=True, include_device=True)
    (out / "graphs" / f"{form}.py").write_text(readable.replace(f"{example}/", ""))
    row = {}
    for how, source, variable in (("functions", functions, "functions"), ("serialized", given, "serialized")):
        case = record.record(f"attention-{form}-{how}", source, copied(gm), passes=(variable,))
        (ran,) = case["expected"].get("passes") or [{"count": case["expected"]["register_error"]}]
        row[how] = ran.get("count", ran.get("apply_error"))
        cases.append(case | {"passes": [variable]})
    row["inductor"] = inductors_own(copied(gm))
    counts[form] = row
    print(form, row)
(out / "counts.json").write_text(json.dumps(counts, indent=2) + "\n")
with open(out / "cases.jsonl", "w") as f:
    for case in cases:
        f.write(json.dumps(case) + "\n")
