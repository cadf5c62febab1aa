"""Hand-written patterns: expression trees taken from a random graph and slightly changed, with Python handlers."""
import textwrap

import torch
from torch.fx import Node

from record import capture_spec

from . import handlers, ops
from .captured import copied, has_hidden_names
from .traced import example, make_step, tensor_text

HEAD = """import functools
import operator

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
    fwd_only,
    get_arg_value,
    register_graph_pattern,
    register_lowering_pattern,
    stable_topological_sort,
)
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
prims = torch.ops.prims
patterns = PatternMatcherPass()


class Fused:
    k = 2

    def both(self, a, b):
        return a * b + self.k

    def fits(self, match):
        return len(match.nodes) < 4

    def __call__(self, a):
        return a * self.k
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


def handler(rng, w, name, lines, may_copy):
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
    names = [a for a in args if "*" not in a and not a.startswith("arg")]
    return f"def {name}({signature}):\n{textwrap.indent(handlers.body_of(rng, names, may_copy), '    ')}\n"


def make(rng, case_id):
    """Generates several cases on one model."""
    source = model_of(rng)
    if not source:
        return []
    base = {"family": "fuzz_structural", "model_py": source}
    if rng.random() < 0.1:
        base["dynamic"] = [[0, 0]]
    if rng.random() < 0.12:
        base["where"] = "pre_grad_custom_pass"
    gm = capture_spec({"id": case_id, **base})
    calls = [n for n in gm.graph.nodes if n.op in ("call_function", "call_method")]
    if not calls:
        return []
    return [with_patterns(rng, {"id": f"{case_id}{letter}", **base, "captured": copied(gm)}, calls) for letter in "abcd"]


def with_patterns(rng, spec, calls):
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
            more += ", extra_check=" + rng.choice(handlers.CHECKS)
        if rng.random() < 0.08:
            more += ", prepend=True"
        kind = "register_graph_pattern" if rng.random() < 0.95 else "register_lowering_pattern"
        into = "others" if several and i > 0 and rng.random() < 0.6 else "patterns"
        blocks.append("\n".join(w.lines) + f"\n\n@{kind}({top}, pass_dict={into}{more})\n" + handler(rng, w, name, w.lines + [top], not has_hidden_names(spec["captured"].graph)))
    if several:
        spec["passes"] = rng.choice([["patterns", "others"], ["others", "patterns"], ["patterns", "others", "patterns"], ["patterns", "patterns"]])
    if rng.random() < 0.06:
        spec["custom_meta"] = {n.name: rng.choice([{"stream": 1}, {"stream": 2}, {"mempool": 1, "mempool_device": 0}, {"note": "kept"}, {"stream": 1, "note": 3}]) for n in calls if rng.random() < 0.6}
    spec["pattern_py"] = HEAD + ("others = PatternMatcherPass()\n" if several else "") + "\nfound = []\n\n" + "\n\n".join(blocks)
    return spec
