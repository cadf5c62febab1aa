"""Runs patterns made from selections on a real PyTorch, and searches patterns for refused ones.

    chroot DIR python3 check.py RUNTIME GRAPHS < LINES.jsonl        (DIR: a PyTorch 2.14.1)

RUNTIME is src/python/lib/_fusescope/exported/graphs.py; GRAPHS holds NAME.py for each graph (sample.ts --code). A line is one of
sample.ts. Prints a JSON object for each: `ok`, and what PyTorch did where it differs. A pattern is ok if its matches are those of
Fusescope and the selection is among them; a refusal, if no PatternExpr of the selection, with its outputs in any of many orders,
matches it and leaves a graph that can be sorted. recorded.jsonl holds a part of the output.
"""
import itertools
import json
import logging
import operator
import random
import sys

import torch
from torch._inductor import pattern_matcher as matcher
from torch._inductor.virtualized import V

logging.disable(logging.CRITICAL)
runtime_path, folder = sys.argv[1:]
runtime = {"__name__": "runtime"}
exec(compile(open(runtime_path).read(), "graphs.py", "exec"), runtime)
function = runtime["function"]
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
        if not hit:
            facts["selection"] = "not matched"
        if invalid and len(places) == 1:
            facts["invalid"] = invalid
        elif invalid:
            facts["note"] = invalid
        return facts
    return reached(wanted, module, mode)


def reached(wanted, module, mode):
    """The pattern that matches nodes and can be replaced; empty if there is none."""
    for keeping in (False, True):
        for exclusive in (False, True):
            for number, order in enumerate(orders(wanted, module, keeping)):
                copy = copied(module)
                patterns, seen = written(copy.graph, wanted, order, keeping, exclusive)
                if patterns is None:
                    return {}
                try:
                    with V.set_fake_mode(mode):
                        patterns.apply(copy.graph)
                    matcher.stable_topological_sort(copy.graph)
                    copy.graph.lint()
                except Exception:
                    continue
                if any(sorted(set(p)) == wanted for p in seen):
                    return {"order": order, "keeping": keeping, "exclusive": exclusive}
    return {}


def outputs_of(nodes, keeping):
    """Nodes that others read; with `keeping`, those that no selected node reads."""
    inside = set(nodes)
    if keeping:
        return [n for n in nodes if not inside.intersection(n.users)]
    return [n for n in nodes if not n.users or not inside.issuperset(n.users)]


def orders(wanted, module, keeping):
    """Orders of the outputs: all of few, many of more."""
    names = [n.name for n in outputs_of([n for n in module.graph.nodes if n.name in wanted], keeping)]
    if len(names) <= 4:
        yield from itertools.permutations(names)
        return
    drawn = random.Random(0)
    for first in names:
        rest = [n for n in names if n != first]
        for _ in range(6):
            yield (first, *rest)
            drawn.shuffle(rest)


def written(graph, wanted, order, keeping, exclusive):
    """A pass with a PatternExpr of the nodes whose handler calls one function, and the matches it will have seen."""
    nodes = {n.name: n for n in graph.nodes if n.name in wanted}
    if any(n.op not in ("call_function", "call_method") for n in nodes.values()):
        return None, []
    outputs = {n.name for n in outputs_of(list(nodes.values()), keeping)}
    exprs = {}

    def expr(arg):
        if isinstance(arg, torch.fx.Node):
            kind = matcher.ExclusiveKeywordArg if exclusive else matcher.KeywordArg
            return exprs.setdefault(arg, kind(f"a{len(exprs)}"))
        if isinstance(arg, (list, tuple)):
            return type(arg)(expr(a) for a in arg) if not hasattr(arg, "_fields") else arg
        if isinstance(arg, dict):
            return {k: expr(v) for k, v in arg.items()}
        return matcher.Ignored() if isinstance(arg, (slice, torch.SymInt, float)) else arg

    for node in nodes.values():
        users = 1 if node.name in outputs else len([u for u in node.users if u.name in nodes])
        if node.name not in outputs and users != len(node.users):
            users = matcher.MULTIPLE
        kind = matcher.CallMethod if node.op == "call_method" else matcher.CallFunction
        args, kwargs = [expr(a) for a in node.args], {k: expr(v) for k, v in node.kwargs.items()}
        exprs[node] = kind(node.target, *args, **kwargs, _users=users)
    roots = [exprs[nodes[name]] for name in order]
    patterns, seen = matcher.PatternMatcherPass(), []

    def fuse(match, **inputs):
        seen.append([n.name for n in match.nodes])
        outputs = match.output_nodes()
        places = {n: i for i, n in enumerate(match.graph.nodes)}
        with match.graph.inserting_before(min(outputs, key=places.get)):
            call = match.graph.call_function(function("fused.call"), tuple(inputs.values()))
            results = [match.graph.call_function(operator.getitem, (call, i)) for i in range(len(outputs))]
        for node, result in zip(outputs, results):
            node.replace_all_uses_with(result)
        match.erase_nodes()

    root = roots[0] if len(roots) == 1 else matcher.MultiOutputPattern(roots)
    names = {n.name for n in nodes.values()}
    check = lambda match: {n.name for n in match.nodes} == names
    matcher.register_graph_pattern(root, extra_check=check, pass_dict=patterns)(fuse)
    return patterns, seen


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
