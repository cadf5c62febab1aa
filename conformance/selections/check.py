"""Runs patterns made from selections on a real PyTorch, and forms of patterns for refused ones.

    chroot DIR python3 check.py RUNTIME GRAPHS < LINES.jsonl        (DIR: a PyTorch 2.14.1)

RUNTIME is src/python/lib/_fusescope/exported/graphs.py; GRAPHS holds NAME.py for each graph (sample.ts --code). A line is one of
sample.ts. Prints a JSON object for each: `ok`, and what PyTorch did where it differs. A pattern is ok if its matches are those of
Fusescope and the selection is among them; a refusal, if no form of a pattern matches the selection and leaves a graph that can be
sorted. recorded.jsonl holds a part of the output.
"""
import contextlib
import importlib.util
import io
import json
import logging
import sys

import torch
from torch._inductor import pattern_matcher as matcher
from torch._inductor.virtualized import V

logging.disable(logging.CRITICAL)
runtime_path, folder = sys.argv[1:]
runtime = {"__name__": "runtime"}
exec(compile(open(runtime_path).read(), "graphs.py", "exec"), runtime)
NAMES = """import math, operator, builtins, torch
from math import inf, nan
from torch import device
"""


def load(name):
    scope = dict(runtime)
    exec(NAMES, scope)
    exec(compile(open(f"{folder}/{name}.py").read(), name, "exec"), scope)
    scope["declare_operators"]()
    return scope["graph"](runtime["GraphBuilder"]())


def copied(module):
    graph = torch.fx.Graph()
    nodes = {}
    output = graph.graph_copy(module.graph, nodes)
    if output is not None:
        graph.output(output)
    for old, new in nodes.items():
        assert old.name == new.name, (old.name, new.name)
    return torch.fx.GraphModule(module, graph)


def applied(python, module, mode):
    """Nodes of each match that the pass replaces; whether the graph can be sorted after it."""
    scope = {"__name__": "user_pattern"}
    matcher_seen = []
    exec(compile(python, "pattern.py", "exec"), scope)
    patterns = scope["patterns"]
    for entries in patterns.patterns.values():
        for entry in entries:
            inner = entry.apply

            def apply(match, graph, node, inner=inner):
                matcher_seen.append([n.name for n in match.nodes])
                return inner(match, graph, node)

            entry.apply = apply
    copy = copied(module)
    with V.set_fake_mode(mode):
        count = patterns.apply(copy.graph)
    assert count == len(matcher_seen), (count, len(matcher_seen))
    try:
        matcher.stable_topological_sort(copy.graph)
        copy.graph.lint()
        valid = None
    except Exception as e:
        valid = f"{type(e).__name__}: {e}"[:200]
    return matcher_seen, valid


def check(line, module, mode):
    wanted = sorted(line["nodes"])
    if "python" in line:
        places, invalid = applied(line["python"], module, mode)
        facts = {}
        if [sorted(set(p)) for p in places] != [sorted(set(p)) for p in line["places"]]:
            facts["places"] = [len(places), line["matches"], places[:1]]
        hit = any(sorted(set(p)) == wanted for p in places)
        if not hit and not line["overlapped"]:
            facts["selection"] = "not matched"
        if invalid and len(places) == 1:
            facts["invalid"] = invalid
        elif invalid:
            facts["note"] = invalid
        return facts
    for number, python in enumerate(line["forms"]):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                places, invalid = applied(python, module, mode)
        except Exception:
            continue
        if any(sorted(set(p)) == wanted for p in places) and invalid is None:
            return {"form": number, "matched": len(places)}
    return {}


def main():
    name, loaded = None, None
    for text in sys.stdin:
        line = json.loads(text)
        if "failed" in line:
            continue
        if line["graph"] != name:
            name = line["graph"]
            try:
                loaded = load(name)
            except Exception as e:
                loaded = None
                print(json.dumps({"id": line["id"], "load": f"{type(e).__name__}: {e}"[:300]}), flush=True)
        if loaded is None:
            continue
        kind = "refused" if "refused" in line else line["form"]
        try:
            facts = check(line, *loaded)
        except Exception as e:
            facts = {"raised": f"{type(e).__name__}: {e}"[:600]}
        good = not [k for k in facts if k != "note"]
        outcome = {key: line[key] for key in ("id", "graph", "nodes", "matches", "refused") if key in line}
        print(json.dumps({**outcome, "kind": kind, "ok": good, **facts}), flush=True)


main()
