"""A cut written as a tree of CallFunctions with a handler."""
import torch
from torch.fx import Node

from . import handlers
from .structural import HEAD, target_text

NAMES = ["x", "inp", "mat1", "mat2", "weight", "bias", "scale", "dim", "value", "sizes"]


class Writer:
    """Writes nodes as an engineer does: names for what comes from outside, Ignored() or names for constants."""

    def __init__(self, rng, inside, changes):
        self.rng, self.inside, self.changes = rng, inside, changes
        self.lines, self.done, self.keywords, self.of = [], {}, [], {}
        self.users = rng.choice(["exact", "exact", "multiple", "none"])

    def keyword(self, node=None):
        if node in self.of and node is not None:
            return self.of[node]
        name = next((n for n in self.rng.sample(NAMES, len(NAMES)) if n not in self.keywords), f"k{len(self.keywords)}")
        self.keywords.append(name)
        text = f'KeywordArg("{name}")'
        if node is not None:
            self.of[node] = text
        return text

    def constant(self, v):
        rng = self.rng
        if isinstance(v, (list, tuple)) and any(isinstance(a, Node) for a in v):
            if all(isinstance(a, Node) for a in v) and rng.random() < 0.3:
                return f"ListOf({self.value(v[0])}{', partial=True' if rng.random() < 0.3 else ''})"
            return "[" + ", ".join(self.value(a) for a in v) + "]"
        kind = rng.random()
        if kind < 0.25:
            return "Ignored()"
        if kind < 0.4:
            return self.keyword()
        if kind < 0.4 + 0.1 * self.changes and isinstance(v, (int, float)):
            return repr(rng.choice([v + 1, float(v), v * 2]))
        if isinstance(v, torch.device):
            return f"torch.device('{v}')"
        if isinstance(v, float) and v in (float("inf"), -float("inf")):
            return f"float('{v}')"
        return repr(list(v)) if isinstance(v, (list, tuple)) else repr(v)

    def value(self, v):
        if isinstance(v, Node):
            if v in self.inside:
                return self.call(v)
            return "Ignored()" if self.rng.random() < 0.05 else self.keyword(v)
        return self.constant(v)

    def call(self, node):
        if node in self.done:
            return self.done[node]
        rng = self.rng
        target = target_text(node.target)
        if isinstance(node.target, torch._ops.OpOverload):
            if rng.random() < 0.2:
                target = target.rsplit(".", 1)[0]
            elif rng.random() < 0.08 and target in ("aten.view.default", "aten.reshape.default"):
                target = "[aten.view.default, aten.reshape.default]"
        parts = [self.value(a) for a in node.args]
        if rng.random() < 0.1 * self.changes and len(parts) > 1:
            parts[0], parts[1] = parts[1], parts[0]
        if rng.random() < 0.05 * self.changes and len(parts) > 1:
            parts.pop()
        for k, v in node.kwargs.items():
            if rng.random() < 0.7:
                parts.append(f"{k}={self.value(v)}")
        users = len(node.users)
        if self.users == "multiple" and rng.random() < 0.7:
            parts.append("_users=MULTIPLE")
        elif self.users == "exact" and users != 1:
            parts.append(f"_users={users}")
        name = f"{node.name}_p"
        text = f"CallFunction({', '.join([target, *parts])})"
        if users == 1 and rng.random() < 0.5:
            self.done[node] = text
            return text
        self.lines.append(f"{name} = {text}")
        self.done[node] = name
        return name


def tree(rng, gm, nodes, outs):
    """(labels, pattern_py)."""
    calls = {n for n in nodes if n.op == "call_function"}
    w = Writer(rng, calls, rng.choice([0, 0, 1]))
    tops = [w.call(n) for n in outs]
    top = tops[0] if len(tops) == 1 else f"MultiOutputPattern([{', '.join(dict.fromkeys(tops))}])"
    args = list(w.keywords)
    lists = any("ListOf" in t for t in [*w.lines, top])
    signature = ", ".join(["match", *(["*args", "**kwargs"] if lists or rng.random() < 0.1 else args)])
    names = [] if lists or "**kwargs" in signature else list(dict.fromkeys(w.of[n].split('"')[1] for n in w.of if isinstance(n.meta.get("val"), torch.Tensor)))
    if len(tops) == 1 and names and rng.random() < 0.7:
        repl = rng.choice(handlers.RESULTS).format(x=names[0])
        body = [f"match.replace_by_example(lambda {', '.join(names)}: {repl}, [{', '.join(names)}])"]
        if rng.random() < 0.3:
            body = [f"def repl({', '.join(names)}):", f"    return {repl}", "", f"match.replace_by_example(repl, [{', '.join(names)}])"]
    else:
        body = ["found.append((len(match.nodes), match.kwargs))"]
        if rng.random() < 0.3:
            body.append("match.output_nodes()[0].meta['seen'] = True")
    more = ""
    if rng.random() < 0.2:
        more = ", extra_check=" + rng.choice(["lambda m: True", "lambda m: len(m.nodes) > 1", 'lambda m: m.output_node().meta["val"].dim() == 2', 'lambda m: m.output_node().meta["val"].dtype == torch.float32', "lambda m: all(n.op == 'call_function' for n in m.nodes)", "lambda m: len(m.output_node().users) == 1"])
    text = HEAD + "\nfound = []\n\n" + "\n".join(w.lines) + f"\n\n@register_graph_pattern({top}, pass_dict=patterns{more})\ndef fuse({signature}):\n" + "\n".join(f"    {line}" if line else "" for line in body) + "\n"
    return ["tree"], text
