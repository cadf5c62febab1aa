"""Hand-written patterns: expression trees read off a random graph, changed a little, with Python handlers."""
import torch
from torch.fx import Node

from record import capture_spec

from . import ops
from .traced import example, make_step, tensor_text

HEAD = """import operator

import torch
from torch._inductor.pattern_matcher import (
    MULTIPLE,
    Arg,
    CallFunction,
    CallFunctionVarArgs,
    CallMethod,
    ExclusiveKeywordArg,
    Ignored,
    KeywordArg,
    ListOf,
    CallMethodVarArgs,
    CallModule,
    CallModuleVarArgs,
    MultiOutputPattern,
    PatternMatcherPass,
    PatternPrettyPrinter,
    RepeatedExpr,
    extract_target,
    filter_nodes,
    get_arg_value,
    register_graph_pattern,
    register_lowering_pattern,
    stable_topological_sort,
)

aten = torch.ops.aten
prims = torch.ops.prims
patterns = PatternMatcherPass()
"""
POINT = [t for t in ops.POINTWISE if "float(" not in t]
WEIGHTS = [(POINT, 6), (ops.ATEN, 8), (ops.VIEWS, 3), (ops.REDUCTIONS, 3), ([t for t in ops.CASTS if "cpu" not in t], 2)]  # Dynamo's graphs print the string as they print a device


def model_of(rng):
    count = rng.randint(2, 4)
    shape = rng.choice([(4, 8), (4, 8), (8, 8), (2, 4, 8)])
    inputs = {f"x{i}": (shape if rng.random() < 0.8 else (shape[-1],), "torch.float32") for i in range(count)}
    env = {n: example(t) for n, t in inputs.items()}
    order, lines = list(inputs), []
    used = set()
    for i in range(rng.randint(4, 12)):
        step = make_step(rng, f"v{i}", env, order, WEIGHTS)
        if step:
            lines.append(f"    {step.name} = {step.text()}")
            used |= set(step.slots.values())
            order.append(step.name)
            if rng.random() < 0.15:  # the same again, on other operands
                i2 = f"v{i}_again"
                other = {k: v if k in "wm" else rng.choice(order[:-1]) for k, v in step.slots.items()}
                step.name, step.slots = i2, other
                try:
                    from .traced import value_of

                    env[i2] = value_of(step.text(), env)
                    lines.append(f"    {i2} = {step.text()}")
                    used |= set(other.values())
                    order.append(i2)
                except Exception:
                    pass
    made = [n for n in order if n not in inputs]
    results = [n for n in made if n not in used or rng.random() < 0.1]
    if not results:
        return None
    source = "import torch\nimport torch.nn.functional as F\n\naten = torch.ops.aten\n\n\n"
    source += f"def model({', '.join(inputs)}):\n" + "\n".join(lines) + f"\n    return ({', '.join(results)},)\n\n\n"
    source += f"def example_args():\n    return ({', '.join(tensor_text(t) for t in inputs.values())},)\n"
    return source


def target_text(target):
    if isinstance(target, str):
        return repr(target)
    if getattr(target, "__module__", "") and "torch" in str(getattr(target, "__module__", "")) and not isinstance(target, torch._ops.OpOverload):
        return f"torch.nn.functional.{target.__name__}" if hasattr(torch.nn.functional, target.__name__) and not hasattr(torch, target.__name__) else f"torch.{target.__name__}"
    if type(target).__name__ == "builtin_function_or_method" and hasattr(torch, target.__name__) and getattr(torch, target.__name__) is target:
        return f"torch.{target.__name__}"
    if isinstance(target, torch._ops.OpOverload):
        return str(target) if str(target).split(".")[0] in ("aten", "prims") else f"torch.ops.{target}"
    return f"operator.{target.__name__}"


OTHERS = ["aten.mul.Tensor", "aten.add.Tensor", "aten.relu.default", "aten.sub.Tensor", "aten.exp.default", "aten.sum.dim_IntList", "aten.view.default"]


class Writer:
    """Writes the pattern for a node of the graph, with wildcards and changes."""

    def __init__(self, rng, prefix, changes):
        self.rng, self.prefix, self.changes = rng, prefix, changes
        self.lines, self.names, self.done, self.keywords, self.count, self.positional = [], {}, {}, [], 0, 0
        self.exclusive = rng.random() < 0.1
        self.targets = []

    def keyword(self):
        name = "xyzabc"[len(self.keywords)] if len(self.keywords) < 6 else f"k{len(self.keywords)}"
        self.keywords.append(name)
        return name

    def leaf(self, node):
        rng = self.rng
        if isinstance(node, Node) and node in self.names and rng.random() < 0.85:
            return self.names[node]
        r = rng.random()
        if r < 0.68:
            kind = "ExclusiveKeywordArg" if self.exclusive else "KeywordArg"
            if self.keywords and rng.random() < 0.05:
                text = f'{kind}("{rng.choice(self.keywords)}")'
            else:
                text = f'{kind}("{self.keyword()}")'
            if isinstance(node, Node):
                self.names[node] = text
            return text
        if r < 0.84:
            return "Ignored()"
        self.positional += 1
        return "Arg()"

    def plain(self, value):
        rng = self.rng
        if isinstance(value, (list, tuple)):
            if rng.random() < 0.3:
                return self.leaf(None)
            return "[" + ", ".join(self.arg(v, 99) if isinstance(v, Node) else self.plain(v) for v in value) + "]"
        r = rng.random()
        if r < 0.55 or isinstance(value, (torch.dtype, torch.device, torch.layout)):
            if rng.random() < self.changes * 0.3 and isinstance(value, (int, float)):
                value = rng.choice([value + 1, float(value), int(value) if value == value and abs(value) < 1e9 else 0, True])
            return f"torch.device('{value}')" if isinstance(value, torch.device) else repr(value) if "inf" not in repr(value) else f'float("{value}")'
        return self.leaf(None)

    def arg(self, value, depth):
        rng = self.rng
        if isinstance(value, Node):
            if value.op in ("call_function", "call_method") and depth < 3 and self.rng.random() < (0.75 if depth < 2 else 0.3):
                return self.call(value, depth)
            return self.leaf(value)
        if isinstance(value, (list, tuple)) and value and all(isinstance(v, Node) for v in value) and self.rng.random() < 0.5:
            partial = ", partial=True" if self.rng.random() < 0.4 else ""
            return f"ListOf({self.arg(value[0], depth)}{partial})"
        if isinstance(value, (list, tuple)) and rng.random() < 0.08:
            return rng.choice(["({},)", "[[{}]]", '{{"a": {}}}', "[{}, Ignored()]", "[]"]).format(", ".join(self.arg(v, depth) if isinstance(v, Node) else self.plain(v) for v in value) or "Ignored()")
        if isinstance(value, (list, tuple)) and any(isinstance(v, Node) for v in value):
            return "[" + ", ".join(self.arg(v, depth) for v in value) + "]"
        return self.plain(value)

    def call(self, node, depth=0):
        rng = self.rng
        if node in self.done and rng.random() < 0.9:
            return self.done[node]
        target = target_text(node.target)
        self.targets.append(node.target)
        if rng.random() < self.changes * 0.25:
            target = rng.choice(OTHERS)
        elif isinstance(node.target, torch._ops.OpOverload) and rng.random() < 0.1:
            target = target.rsplit(".", 1)[0]
        elif rng.random() < 0.1:
            target = f"[{', '.join(rng.sample([target, rng.choice(OTHERS)], 2))}]"
        if rng.random() < 0.03:
            other = rng.choice(['CallMethod("relu", {})', 'CallMethod(["view", "reshape"], {}, Ignored())', 'CallModule("linear", {})', 'CallMethodVarArgs("sum")', 'CallModuleVarArgs("conv")', "CallFunction(torch.relu, {})", "CallFunction([torch.add, operator.add], {}, Ignored())"])
            return self.assign(node, other.format(self.leaf(node.args[0] if node.args else None)))
        if rng.random() < 0.05:
            users = rng.choice(["", ", users=MULTIPLE", ", _users=MULTIPLE"])
            return self.assign(node, f"CallFunctionVarArgs({target}{', users=MULTIPLE' if users else ''})")
        parts = [self.arg(a, depth + 1) for a in node.args]
        for k, v in node.kwargs.items():
            if rng.random() < 0.85:
                parts.append(f"{k}={self.arg(v, depth + 1)}")
        if rng.random() < self.changes * 0.3 and len(parts) > 1:
            a, b = rng.sample(range(len(parts)), 2)
            if "=" not in (parts[a] + parts[b]).replace("partial=", ""):
                parts[a], parts[b] = parts[b], parts[a]
        if rng.random() < self.changes * 0.15 and len(parts) > 1:
            parts.pop()
        if rng.random() < self.changes * 0.15:
            parts.append(rng.choice(["Ignored()", 'KeywordArg("more")', "1", "alpha=1", "alpha=Ignored()", "keepdim=True"]))
            if "=" in parts[-1] and not isinstance(node.target, torch._ops.OpOverload):
                parts[-1] = "Ignored()"  # normalising torch.cos over its TorchScript overloads is beyond the product: see SPEC.md
            if parts[-1].startswith("Keyword") and "more" not in self.keywords:
                self.keywords.append("more")
            parts.sort(key=lambda p: "=" in p.split("(")[0])
        users = len(node.users)
        r = rng.random()
        if r < 0.3:
            parts.append("_users=MULTIPLE")
        elif users != 1 and r < 0.9 or r < 0.36:
            parts.append(f"_users={users if rng.random() < 0.9 else users + 1}")
        parts.sort(key=lambda p: "=" in p.split("(")[0])
        kind = "CallMethod" if node.op == "call_method" else "CallFunction"
        return self.assign(node, f"{kind}({', '.join([target] + parts)})")

    def assign(self, node, text):
        name = f"{self.prefix}{node.name}_{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        self.done[node] = name
        return name


def handler(rng, w, name, lines):
    kws = list(dict.fromkeys(w.keywords))
    rng.shuffle(kws) if rng.random() < 0.2 else None
    args = [f"arg{i}" for i in range(w.positional)] + kws
    if any("ListOf" in l or "VarArgs" in l for l in lines) or rng.random() < 0.1:
        args = ["*args"] + (kws if rng.random() < 0.5 else ["**kwargs"])
    elif rng.random() < 0.15:
        args = args[: w.positional] + ["**kwargs"]
    if rng.random() < 0.02 and args:
        args.pop()
    signature = ", ".join(["match"] + args)
    xs = [a for a in args if "*" not in a and not a.startswith("arg")]
    x = rng.choice(xs) if xs else None
    tensors = ", ".join(xs)
    body = ["found.append(match.output_node())", "found.append((match.args, match.kwargs))"]
    if xs:
        repl = rng.choice(["torch.tan({0})", "{0} * 2 + 1", "torch.relu({0}).sum()", "{0}.clone()", "torch.nn.functional.silu({0})", "{0}.sigmoid()", "{0}", "torch.exp({0}) / 3"]).format(x)
        two = f"torch.hypot({xs[0]}, {xs[-1]}) + 1"
        body += [
            f"match.replace_by_example(lambda {tensors}: {repl}, [{tensors}])",
            f"match.replace_by_example(lambda {tensors}: {two}, [{tensors}])",
            f"def repl({tensors}):\n        return {repl}\n\n    match.replace_by_example(repl, [{tensors}])",
            f'graph = match.graph\n    node = match.output_node()\n    with graph.inserting_before(node):\n        new = graph.call_function(aten.tan.default, args=({x},))\n        new.meta.update(node.meta)\n    node.replace_all_uses_with(new)\n    match.erase_nodes()',
            f'graph = match.graph\n    node = match.output_node()\n    with graph.inserting_before(node):\n        new = graph.call_function(aten.mul.Tensor, ({x}, {x}))\n    node.replace_all_uses_with(new)\n    graph.erase_node(node)',
            f"node = match.output_node()\n    node.replace_all_uses_with({x})\n    match.erase_nodes()",
            f'if {x}.meta["val"].dim() == 2:\n        match.replace_by_example(lambda {x}: {x}.abs(), [{x}])',
            f'graph = match.graph\n    with graph.inserting_after(match.output_node()):\n        new = graph.call_function(torch.ops.aten.neg.default, (match.output_node(),))\n    found.append(new)',
            f'match.kwargs["{x}"].meta["seen"] = True',
            f'graph = match.graph\n    node = match.output_node()\n    with graph.inserting_after({x}):\n        a = graph.call_function(aten.sin.default, ({x},))\n        b = graph.call_function(aten.cos, (a,), {{}})\n    node.replace_all_uses_with(b)\n    match.erase_nodes()',
            f'graph = match.graph\n    node = match.output_node()\n    with graph.inserting_before(node):\n        out = graph.call_function(aten.add.Tensor, args=({x}, {x}), kwargs={{"alpha": 2}})\n        node.replace_all_uses_with(out)\n        out.meta["val"] = node.meta["val"]\n    match.erase_nodes()\n    stable_topological_sort(graph)',
            f'stable_topological_sort(match.graph)\n    for n in filter_nodes(match.graph.nodes, aten.mul):\n        found.append((n.name, get_arg_value(n, 1, "other"), extract_target(n)))',
            f'for n in filter_nodes(match.nodes, aten.add.Tensor):\n        n.replace_all_uses_with({x})\n    match.erase_nodes()',
            f'node = match.output_node()\n    val = {x}.meta["val"]\n    if val.shape[0] == 4 and val.dtype == torch.float32:\n        match.replace_by_example(lambda {x}: torch.empty_like({x}), [{x}])',
            f'match.replace_by_example(lambda {x}: ({x}.abs(), {x}.neg()), [{x}])',
            f'match.replace_by_example(lambda {x}: torch.add({x}, 1.5).clamp(min=0), [{x}], run_functional_passes=False)',
            f'match.replace_by_example(lambda *args: args[0] * len(args), [{tensors}])',
            f'match.replace_by_example(lambda a, b: a + b, [{x}, 2.0])',
            f'match.replace_by_example(lambda a: a.to(torch.float64).to(torch.float32), [{x}])',
            f'raise {rng.choice(["ValueError", "RuntimeError", "KeyError", "NotImplementedError"])}("no " + {x}.name)',
            f'{x}.users["missing"]',
            f'match.replace_by_example(lambda {x}: {x} / 0 if {x}.dim() else 1 // 0, [{x}])',
            f'match.replace_by_example(lambda {x}: torch.ops.aten.nothing({x}), [{x}])',
            f'node = match.output_node()\n    for user in list(node.users):\n        user.replace_input_with(node, {x})\n    match.erase_nodes()',
            f'node = match.output_node()\n    node.args = ({x},) + node.args[1:]',
            f'node = match.output_node()\n    node.update_arg(0, {x})\n    found.append(len({x}.users))',
            f'node = match.output_node()\n    node.prepend({x}) if {x}.op == "call_function" and {x} < node else None',
            f'with match.graph.inserting_before(match.output_node()):\n        made = match.graph.create_node("call_function", aten.mul.Tensor, ({x}, 2), name="scaled")\n    found.append(made)',
            f'graph = match.graph\n    with graph.inserting_before():\n        first = graph.call_function(aten.full.default, ([2], 1.0))\n    with graph.inserting_before(match.output_node()):\n        made = graph.call_function(aten.add.Tensor, ({x}, first))\n    match.output_node().replace_all_uses_with(made)',
            f'graph = match.graph\n    node = match.output_nodes()[0]\n    with graph.inserting_before(node):\n        made = graph.call_function(aten.copy_.default, ({x}, {x}))\n    node.replace_all_uses_with({x})\n    match.erase_nodes()',
            f'graph = match.graph\n    for n in reversed(match.nodes):\n        if n.op == "call_function" and not n.users:\n            graph.erase_node(n)\n    assert len(graph.nodes) > 2, {x}.format_node()',
        ]
    body += ["node = match.output_node()\n    node.meta['matched'] = len(match.nodes)",
             "node = match.output_node()\n    node.args = node.args[:1] + node.args[1:]",
             "for n in match.nodes:\n        found.append((n.name, n.op, str(n.target), len(n.users)))",
             "node = match.output_node()\n    match.graph.erase_node(node) if not node.users else None",
             "match.graph.erase_node(match.output_node())",
             "assert all(n.op == 'call_function' for n in match.nodes[1:])",
             "node = match.output_node()\n    node.target = aten.neg.default if len(node.args) == 1 else node.target",
             "match.kwargs['missing']",
             "raise ValueError(PatternPrettyPrinter.run(match.pattern)[:40]) if len(match.nodes) > 2 else KeyError(1)",
             "del match.nodes[0]\n    found.append(len(match.nodes))",
             "node = match.output_node()\n    node.meta['val'] = node.meta['val'].to(torch.float64) if len(match.nodes) < 3 else node.meta['val']",
             "nodes = match.output_nodes()\n    found.append([n and n.name for n in nodes])",
             "for node in match.nodes:\n        for i in node.all_input_nodes:\n            found.append((i.name, list(i.users), i.meta.get('val') is not None))"]
    return f"def {name}({signature}):\n    {rng.choice(body)}\n"


def make(rng, case_id):
    source = model_of(rng)
    if not source:
        return None
    spec = {"id": case_id, "family": "fuzz_structural", "model_py": source}
    if rng.random() < 0.1:
        spec["dynamic"] = [[0, 0]]
    if rng.random() < 0.12:
        spec["where"] = "pre_grad_custom_pass"
    graph = capture_spec(spec).graph
    calls = [n for n in graph.nodes if n.op in ("call_function", "call_method")]
    if not calls:
        return None
    blocks = []
    several = rng.random() < 0.12
    for i in range(rng.choice([1, 1, 2, 2, 3])):
        w = Writer(rng, f"p{i}_", rng.choice([0, 0, 0.4, 1.0]))
        top = w.call(rng.choice(calls[len(calls) // 3:]))
        if rng.random() < 0.15:
            outs = [top] + [w.call(rng.choice(calls)) for _ in range(rng.randint(1, 2))]
            outs = list(dict.fromkeys(outs))
            if rng.random() < 0.15:
                outs.insert(1, "None")
            top = f"MultiOutputPattern([{', '.join(outs)}])"
        elif rng.random() < 0.04:
            top = f"RepeatedExpr({top})"
        if top.startswith("p") and len(w.lines) == 1 and rng.random() < 0.3:
            top = w.lines.pop().split(" = ", 1)[1]
        name = rng.choice(["rewrite", "on_match", "note"]) + str(i)
        more = ""
        if rng.random() < 0.1:
            more += ", extra_check=" + rng.choice(["lambda m: True", "lambda m: len(m.nodes) > 1", 'lambda m: m.output_node().meta["val"].dim() == 2', "lambda m: bool(m.kwargs)", "lambda m: len(m.args) == 0", "lambda m: None", "lambda m: 1", "lambda m: m.kwargs", "lambda m: m.kwargs['zz'] is None", "lambda m: 1 / 0", "lambda m: all(n.op == 'call_function' for n in m.nodes)", "lambda m: m.output_node().args[0] in m.nodes", "lambda m: m.output_node() > m.nodes[0]"])
        if rng.random() < 0.08:
            more += ", prepend=True"
        kind = "register_graph_pattern" if rng.random() < 0.95 else "register_lowering_pattern"
        into = "others" if several and i > 0 and rng.random() < 0.6 else "patterns"
        blocks.append("\n".join(w.lines) + f"\n\n@{kind}({top}, pass_dict={into}{more})\n" + handler(rng, w, name, w.lines + [top]))
    if several:
        spec["passes"] = rng.choice([["patterns", "others"], ["others", "patterns"], ["patterns", "others", "patterns"], ["patterns", "patterns"]])
    if rng.random() < 0.06:
        spec["custom_meta"] = {n.name: rng.choice([{"stream": 1}, {"stream": 2}, {"mempool": 1, "mempool_device": 0}, {"note": "kept"}, {"stream": 1, "note": 3}]) for n in calls if rng.random() < 0.6}
    spec["pattern_py"] = HEAD + ("others = PatternMatcherPass()\n" if several else "") + "\nfound = []\n\n" + "\n\n".join(blocks)
    return spec
