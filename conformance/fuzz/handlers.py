"""Bodies of graph pattern handlers, as text over the names that a match captured."""

# {x}, {y}: captured names; {all}: every one; {named}: as keyword parameters; {repl}: an expression over {x}
EDITS = """
match.replace_by_example(lambda {all}: {repl}, [{all}])
---
match.replace_by_example(lambda {all}: torch.hypot({x}, {y}) + 1, [{all}])
---
def repl({all}):
    return {repl}

match.replace_by_example(repl, [{all}])
---
if {x}.meta["val"].dim() == 2:
    match.replace_by_example(lambda {x}: {x}.abs(), [{x}])
---
graph = match.graph
node = match.output_node()
with graph.inserting_before(node):
    new = graph.call_function(aten.tan.default, args=({x},))
    new.meta.update(node.meta)
node.replace_all_uses_with(new)
match.erase_nodes()
---
graph = match.graph
node = match.output_node()
with graph.inserting_before(node):
    new = graph.call_function(aten.mul.Tensor, ({x}, {x}))
node.replace_all_uses_with(new)
graph.erase_node(node)
---
node = match.output_node()
node.replace_all_uses_with({x})
match.erase_nodes()
---
graph = match.graph
with graph.inserting_after(match.output_node()):
    new = graph.call_function(torch.ops.aten.neg.default, (match.output_node(),))
found.append(new)
---
match.kwargs["{x}"].meta["seen"] = True
---
graph = match.graph
node = match.output_node()
with graph.inserting_after({x}):
    a = graph.call_function(aten.sin.default, ({x},))
    b = graph.call_function(aten.cos, (a,), {{}})
node.replace_all_uses_with(b)
match.erase_nodes()
---
graph = match.graph
node = match.output_node()
with graph.inserting_before(node):
    out = graph.call_function(aten.add.Tensor, args=({x}, {x}), kwargs={{"alpha": 2}})
    node.replace_all_uses_with(out)
    out.meta["val"] = node.meta["val"]
match.erase_nodes()
stable_topological_sort(graph)
---
stable_topological_sort(match.graph)
for n in filter_nodes(match.graph.nodes, aten.mul):
    found.append((n.name, get_arg_value(n, 1, "other"), extract_target(n)))
---
for n in filter_nodes(match.nodes, aten.add.Tensor):
    n.replace_all_uses_with({x})
match.erase_nodes()
---
node = match.output_node()
val = {x}.meta["val"]
if val.shape[0] == 4 and val.dtype == torch.float32:
    match.replace_by_example(lambda {x}: torch.empty_like({x}), [{x}])
---
match.replace_by_example(lambda {x}: ({x}.abs(), {x}.neg()), [{x}])
---
match.replace_by_example(lambda {x}: torch.add({x}, 1.5).clamp(min=0), [{x}], run_functional_passes=False)
---
match.replace_by_example(lambda *args: args[0] * len(args), [{all}])
---
match.replace_by_example(lambda a, b: a + b, [{x}, 2.0])
---
match.replace_by_example(lambda a: a.to(torch.float64).to(torch.float32), [{x}])
---
raise {error}("no " + {x}.name)
---
{x}.users["missing"]
---
match.replace_by_example(lambda {x}: {x} / 0 if {x}.dim() else 1 // 0, [{x}])
---
match.replace_by_example(lambda {x}: torch.ops.aten.nothing({x}), [{x}])
---
node = match.output_node()
for user in list(node.users):
    user.replace_input_with(node, {x})
match.erase_nodes()
---
node = match.output_node()
node.args = ({x},) + node.args[1:]
---
node = match.output_node()
node.update_arg(0, {x})
found.append(len({x}.users))
---
node = match.output_node()
node.prepend({x}) if {x}.op == "call_function" and {x} < node else None
---
with match.graph.inserting_before(match.output_node()):
    made = match.graph.create_node("call_function", aten.mul.Tensor, ({x}, 2), name="scaled")
found.append(made)
---
graph = match.graph
with graph.inserting_before():
    first = graph.call_function(aten.full.default, ([2], 1.0))
with graph.inserting_before(match.output_node()):
    made = graph.call_function(aten.add.Tensor, ({x}, first))
match.output_node().replace_all_uses_with(made)
---
graph = match.graph
node = match.output_nodes()[0]
with graph.inserting_before(node):
    made = graph.call_function(aten.copy_.default, ({x}, {x}))
node.replace_all_uses_with({x})
match.erase_nodes()
---
graph = match.graph
for n in reversed(match.nodes):
    if n.op == "call_function" and not n.users:
        graph.erase_node(n)
assert len(graph.nodes) > 2, {x}.format_node()
---
made = match.replace_by_example(lambda {all}: {repl}, [{all}])
found.append([(n.name, n.args, n.meta["val"].shape) for n in made])
---
traced = fwd_only(lambda {x}: {repl}, [{x}.meta["val"]])
found.append(match.replace_with_graph(traced, [{x}]))
---
traced = fwd_only(lambda {x}, {y}_: {repl}, [{x}.meta["val"], 2])
for n in traced.graph.nodes:
    if n.target == aten.add.Tensor:
        n.target = aten.sub.Tensor
match.replace_with_graph(traced, [{x}, {y}])
---
traced = fwd_only(lambda many: many[0] + many[1], [[{x}.meta["val"], {x}.meta["val"]]])
match.replace_with_graph(traced, [[{x}, {x}]])
---
if isinstance({x}.meta["val"], torch.Tensor):
    match.replace_by_example(lambda many, k: torch.cat(list(many), 0).sum() * k, [[{x}, {y}], 0.5])
---
if isinstance({x}.meta["val"], torch.Tensor):
    match.replace_by_example(lambda many: many["a"] * many["b"], [{{"a": {x}, "b": 3}}])
---
match.replace_by_example(lambda pair: torch.maximum(*pair), [({x}, {y})])
---
match.replace_by_example(functools.partial(lambda a, k: a * k, k=2), [{x}])
---
match.replace_by_example(lambda a, k=3: a * k, [{x}])
---
match.replace_by_example(lambda a, *, k: a * k, [{x}, 2])
---
match.replace_by_example(lambda a, **k: a + 1, [{x}])
---
match.replace_by_example(Fused().both, [{x}, {y}])
---
match.replace_by_example(Fused(), [{x}])
---
match.replace_by_example(aten.neg.default, [{x}])
---
match.replace_by_example(lambda a, b, c: a, [{x}, {x}])
---
match.replace_by_example(lambda a: {{"out": a + 1}}["out"], [{x}])
---
graph = match.graph
node = match.output_node()
with graph.inserting_before(node):
    twin = graph.node_copy(node)
node.replace_all_uses_with(twin)
match.erase_nodes()
---
graph = match.graph
node = match.output_node()
with graph.inserting_before(node):
    twin = graph.node_copy(node, lambda n: {x})
node.replace_all_uses_with(twin, delete_user_cb=lambda user: user is not twin)
graph.lint()
---
node = match.output_node()
with match.graph.inserting_after(node):
    new = match.graph.call_function(aten.relu.default, (node,))
    new.meta["val"] = node.meta["val"]
    found.append(node.replace_all_uses_with(new, delete_user_cb=lambda user: user != new))
---
node = match.output_node()
with match.graph.inserting_after(node):
    new = match.graph.call_function(aten.relu.default, ({x},))
node.replace_all_uses_with(new, propagate_meta=True)
match.graph.erase_node(node)
---
with match.graph.inserting_before(match.graph.output_node()):  # not before the match, which may be erased: see SPEC.md
    match.graph.call_function(aten.neg.default, ({x},))
found.append(match.graph.eliminate_dead_code())
---
for n in match.graph.nodes:
    if n.op == "call_function" and not n.users:
        match.graph.erase_node(n)
    elif n.target == aten.relu.default:
        with match.graph.inserting_after(n):
            found.append(match.graph.call_function(aten.abs.default, (n,)))
---
for n in reversed(match.graph.nodes):
    found.append(n.name)
    if n in match.nodes and n is not match.output_node() and len(n.users) == 1:
        n.replace_all_uses_with({x})
---
node = match.output_node()
node.insert_arg(len(node.args), 1) if len(node.args) < 2 else node.update_kwarg("alpha", 2)
found.append((node.args, node.kwargs))
---
node = match.output_node()
node.append({x}) if {x}.op == "call_function" and node < {x} else {x}.append(node)
---
custom = {x}.meta.get("custom")
with match.graph.inserting_before(match.output_node()):
    new = match.graph.call_function(aten.neg.default, ({x},))
new.meta["custom"] = {{"stream": 2, "made": True}}
found.append((custom, new.meta["custom"]))
match.output_node().replace_all_uses_with(new)
---
val = {x}.meta["val"]
fits = val.is_contiguous() and val.stride(-1) == 1 and val.numel() % 8 == 0 and val.device.type == "cpu"
match.replace_by_example(lambda {x}: {repl}, [{x}]) if fits and val.dtype.is_floating_point else match.erase_nodes()
---
match.graph.output_node().args = (match.graph.output_node().args[0],)
found.append([n.name for n in match.graph.find_nodes(op="call_function", target=aten.mul.Tensor)])
"""

OF_NODES = """
node = match.output_node()
node.meta['matched'] = len(match.nodes)
---
if not match.output_node().users:
    match.erase_nodes()
---
raise ValueError(len(match.nodes))
---
pass
---
match.erase_nodes()
---
graph = match.graph
node = match.nodes[0]
with graph.inserting_before(node):
    new = graph.call_function(aten.neg.default, (node.args[0] if node.args else node,))
graph.erase_node(new)
---
for node in reversed(match.nodes):
    match.graph.erase_node(node) if not node.users else None
---
if len(match.output_node().users) < 2:  # the error tells their order, which no printed graph does
    match.graph.erase_node(match.output_node())
---
assert all(n.op == 'call_function' for n in match.nodes[1:])
---
node = match.output_node()
node.target = aten.neg.default if len(node.args) == 1 else node.target
---
match.kwargs['missing']
---
raise ValueError(PatternPrettyPrinter.run(match.pattern)[:40]) if len(match.nodes) > 2 else KeyError(1)
---
del match.nodes[0]
found.append(len(match.nodes))
---
node = match.output_node()
node.meta['val'] = node.meta['val'].to(torch.float64) if len(match.nodes) < 3 else node.meta['val']
---
nodes = match.output_nodes()
found.append([n and n.name for n in nodes])
---
for node in match.nodes:
    for i in node.all_input_nodes:
        found.append((i.name, sorted(u.name for u in i.users), i.meta.get('val') is not None))
---
patterns.apply(match.graph) if len(found) > 99 else found.append(len(match.graph.nodes))
---
found.append((match.args, match.kwargs))
"""

CHECKS = [
    "lambda m: True", "lambda m: len(m.nodes) > 1", "lambda m: bool(m.kwargs)", "lambda m: len(m.args) == 0", "lambda m: None",
    "lambda m: 1", "lambda m: m.kwargs", "lambda m: m.kwargs['zz'] is None", "lambda m: 1 / 0",
    "lambda m: all(n.op == 'call_function' for n in m.nodes)", "lambda m: m.output_node().args[0] in m.nodes",
    "lambda m: m.output_node() > m.nodes[0]", 'lambda m: m.output_node().meta["val"].dim() == 2',
    'lambda m: m.output_node().meta["val"].dtype == torch.float32', "lambda m: len(m.output_node().users) == 1",
    'lambda m: all("val" in n.meta for n in m.nodes)', "lambda m: any(n.target is aten.relu.default for n in m.nodes)",
    'lambda m: m.output_node().meta["val"].numel() % 4 == 0', 'lambda m: m.output_node().meta["val"].stride()[-1] == 1',
    "lambda m: all(not isinstance(v, float) for v in m.kwargs.values())", "lambda m: sorted(m.kwargs) == list(m.kwargs)",
    "lambda m: any(isinstance(v, (int, float)) for v in [*m.args, *m.kwargs.values()])",
    'lambda m: all(v.meta["val"].shape[-1] == 8 for v in m.kwargs.values())',
    'lambda m: {n.target for n in m.nodes} <= {aten.mul.Tensor, aten.add.Tensor, aten.relu.default}',
    'lambda m: all(u.op != "output" for u in m.output_node().users)', "lambda m: m.nodes[-1] is m.output_node()",
    'lambda m: statically_known_true(m.output_node().meta["val"].shape[0] == 4)',
    'lambda m: m.output_node().meta["val"].is_contiguous() and not m.output_node().meta["val"].requires_grad',
    'lambda m: all(i.op in ("placeholder", "call_function") for n in m.nodes for i in n.all_input_nodes)',
    "functools.partial(lambda k, m: len(m.nodes) > k, 1)", "Fused().fits",
]
RESULTS = [
    "torch.tan({x})", "{x} * 2 + 1", "torch.relu({x}).sum()", "{x}.clone()", "torch.nn.functional.silu({x})", "{x}.sigmoid()", "{x}",
    "torch.exp({x}) / 3", "torch.add({x}, {x}, alpha=2)", "{x}.reshape(-1).sum(0, keepdim=True)", "torch.rsqrt({x}.pow(2).mean(-1, keepdim=True) + 1e-6)",
]
ERRORS = ["ValueError", "RuntimeError", "KeyError", "NotImplementedError"]


def _listed(text):
    return [body.strip("\n") for body in text.split("---\n")]


def body_of(rng, names, may_copy):
    """The lines of a handler to which a match gave these names; without copies, whose names follow those of their nodes."""
    bodies = _listed(OF_NODES)
    if names:
        bodies += 2 * [body for body in _listed(EDITS) if may_copy or "node_copy" not in body]
        x, y = rng.choice(names), rng.choice(names)
        repl = rng.choice(RESULTS).format(x=x)
        fill = {"x": x, "y": y, "all": ", ".join(names), "repl": repl, "error": rng.choice(ERRORS)}
    else:
        fill = {}
    chosen = [rng.choice(bodies) for _ in range(rng.choice([1, 1, 1, 1, 2]))]
    text = "\n".join(b.format(**fill) if b in _listed(EDITS) else b for b in chosen)
    if rng.random() < 0.12:  # what it found goes into the record with the error
        text += "\nraise ValueError(found)"
    return text
