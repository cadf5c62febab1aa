"""Patterns cut out of a captured graph: a few connected nodes, written as Python or as a tree of CallFunctions."""
import operator

import torch
from torch._inductor.pattern_matcher import fwd_only  # noqa: F401  (the module must be loaded before a graph is read)
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import Node

from . import spellings, trees


class Step:
    """A node of the cut: its target, and arguments in which other nodes are Ref objects."""

    def __init__(self, name, target, args, kwargs, val):
        self.name, self.target, self.args, self.kwargs, self.val = name, target, args, kwargs, val


class Ref:
    def __init__(self, name, val):
        self.name, self.val = name, val


def region(rng, gm):
    """(nodes of the cut in order, its first result); connected through arguments."""
    calls = [n for n in gm.graph.nodes if n.op == "call_function" and isinstance(n.meta.get("val"), torch.Tensor)]
    if not calls:
        return None
    top = rng.choice(calls)
    chosen, frontier = {top}, list(top.all_input_nodes)
    size = rng.choice([1, 2, 3, 4, 5, 6, 8, 12])
    while frontier and len(chosen) < size:
        n = frontier.pop(0 if rng.random() < 0.6 else rng.randrange(len(frontier)))
        if n.op != "call_function" or n in chosen:
            continue
        chosen.add(n)
        frontier += n.all_input_nodes
        if rng.random() < 0.15:
            frontier += [u for u in n.users if u.op == "call_function"]
    # all or none of a node with several results
    for n in list(chosen):
        if n.target is operator.getitem:
            chosen.add(n.args[0])
    for n in list(chosen):
        if isinstance(n.meta.get("val"), (tuple, list)):
            chosen |= {u for u in n.users if u.target is operator.getitem and rng.random() < 0.9}
    return [n for n in gm.graph.nodes if n in chosen]


def outputs_of(rng, nodes):
    """The nodes of the cut that something outside uses; now and then one more, one less, another order."""
    inside = set(nodes)
    outs = [n for n in nodes if isinstance(n.meta.get("val"), torch.Tensor) and (not n.users or any(u not in inside for u in n.users))]
    if not outs:
        return []
    kind = rng.random()
    if kind < 0.12 and len(outs) > 1:
        outs.pop(rng.randrange(len(outs)))
    elif kind < 0.2:
        more = [n for n in nodes if n not in outs and isinstance(n.meta.get("val"), torch.Tensor)]
        outs += [rng.choice(more)] if more else []
    if rng.random() < 0.4:
        outs.reverse()
    return outs


def symbols_of(gm):
    """symbol -> (a tensor placeholder, dimension)."""
    found = {}
    for n in gm.graph.nodes:
        if n.op == "placeholder" and isinstance(n.meta.get("val"), torch.Tensor):
            for i, s in enumerate(n.meta["val"].shape):
                if isinstance(s, torch.SymInt):
                    found.setdefault(str(s), (n, i))
    return found


class Cut:
    """The nodes as steps, with parameters for what comes from outside."""

    def __init__(self, rng, gm, nodes, outs):
        self.rng = rng
        self.params, self.steps, self.names = {}, [], {}
        self.symbols = symbols_of(gm)
        self.inside = set(nodes)
        for n in nodes:
            self.names[n] = n.name
        for n in nodes:
            args, kwargs = torch.fx.node.map_aggregate((n.args, n.kwargs), self.value)
            self.steps.append(Step(n.name, n.target, list(args), dict(kwargs), n.meta["val"]))
        self.outs = [n.name for n in outs]

    def value(self, v):
        if not isinstance(v, Node):
            return v
        if v in self.inside:
            return Ref(v.name, v.meta["val"])
        val = v.meta.get("val")
        if isinstance(val, torch.SymInt):
            if v.target is torch.ops.aten.sym_size.int:
                base, dim = v.args
                of = self.value(base)
            elif str(val) in self.symbols:
                of, dim = self.symbols[str(val)]
                of = self.value(of)
            else:
                raise ValueError("a size of no input")
            return Ref(f"{of.name}.shape[{dim}]" if self.rng.random() < 0.7 else f"{of.name}.size({dim})", val)
        if not isinstance(val, torch.Tensor):
            raise ValueError("not a tensor")
        name = self.names.setdefault(v, spellings.parameter(self.rng, v, self.params))
        self.params[name] = val
        return Ref(name, val)


CHANGES = ["none"] * 5 + ["constant", "constant", "swap", "noop", "noop", "drop", "dtype", "same", "target", "type"]
NOOPS = [(torch.ops.aten.clone.default, ()), (torch.ops.aten.alias.default, ()), ("view", ()), ("to", ()), ("contiguous", ()), (torch.ops.aten.detach.default, ()), ("* 1", ())]
TWINS = {"aten.mul.Tensor": "aten.add.Tensor", "aten.add.Tensor": "aten.sub.Tensor", "aten.sub.Tensor": "aten.add.Tensor", "aten.div.Tensor": "aten.mul.Tensor", "aten.relu.default": "aten.sigmoid.default",
         "aten.rsqrt.default": "aten.sqrt.default", "aten.sigmoid.default": "aten.tanh.default", "aten.tanh.default": "aten.sigmoid.default", "aten.amax.default": "aten.amin.default", "aten.exp.default": "aten.exp2.default",
         "aten.view.default": "aten.reshape.default", "aten.reshape.default": "aten.view.default", "aten.mean.dim": "aten.sum.dim_IntList", "aten.permute.default": "aten.view.default", "aten.clone.default": "aten.alias.default", "aten.round.default": "aten.floor.default"}


def change(rng, cut, labels):
    """One change of the steps."""
    kind = rng.choice(CHANGES)
    step = rng.choice(cut.steps)
    if kind == "constant":
        at = [(s, i) for s in cut.steps for i, a in enumerate(s.args) if isinstance(a, (int, float)) and not isinstance(a, bool)]
        if not at:
            return
        s, i = rng.choice(at)
        old = s.args[i]
        s.args[i] = rng.choice([old + 1, old * 2, -old, float(old), 0, int(old) if abs(old) < 1e9 else 1, 1e-6])
        labels.append(f"{s.name}: {old} -> {s.args[i]}")
        return
    if kind == "swap":
        fit = [s for s in cut.steps if len(s.args) > 1 and isinstance(s.args[0], Ref) and isinstance(s.args[1], Ref)]
        if not fit:
            return
        step = rng.choice(fit)
        step.args[0], step.args[1] = step.args[1], step.args[0]
    elif kind == "noop":
        if not isinstance(step.val, torch.Tensor):
            return
        target, _ = rng.choice(NOOPS)
        name = f"{step.name}_same"
        replaced(cut, step.name, Ref(name, step.val), after=cut.steps.index(step))
        cut.steps.insert(cut.steps.index(step) + 1, Step(name, target, [Ref(step.name, step.val)], {}, step.val))
        cut.outs = [name if o == step.name else o for o in cut.outs]
        kind += f" {target}"
    elif kind == "drop":
        refs = [a for a in step.args if isinstance(a, Ref)]
        if len(cut.steps) < 2 or not refs or step.name in cut.outs or not isinstance(step.val, torch.Tensor):
            return
        replaced(cut, step.name, refs[0], after=-1)
        cut.steps.remove(step)
    elif kind == "dtype":
        at = [(s, k, i) for s in cut.steps for k, where in (("args", enumerate(s.args)), ("kwargs", s.kwargs.items())) for i, a in where if isinstance(a, torch.dtype)]
        if not at:
            return
        s, k, i = rng.choice(at)
        getattr(s, k)[i] = rng.choice([torch.float32, torch.bfloat16, torch.float16, torch.float64])
        step = s
    elif kind == "same":
        names = list(cut.params)
        if len(names) < 2:
            return
        a, b = rng.sample(names, 2)
        if cut.params[a].shape != cut.params[b].shape:
            return
        replaced(cut, b, Ref(a, cut.params[a]), after=-1)
        del cut.params[b]
    elif kind == "target":
        twin = TWINS.get(str(step.target))
        if not twin:
            return
        step.target = getattr(getattr(torch.ops.aten, twin.split(".")[1]), twin.split(".")[2])
    elif kind == "type":  # the example of one input has another dtype
        if not cut.params:
            return
        name = rng.choice(list(cut.params))
        val = cut.params[name]
        with FakeTensorMode():
            cut.params[name] = torch.empty([int(s) if isinstance(s, int) else 4 for s in val.shape], dtype=rng.choice([torch.float32, torch.bfloat16, torch.float16]))
    else:
        return
    labels.append(f"{kind}: {step.name}")


def replaced(cut, name, ref, after):
    for i, s in enumerate(cut.steps):
        if i > after:
            one = lambda a: ref if isinstance(a, Ref) and a.name == name else a  # noqa: E731
            s.args = list(mapped(s.args, one))
            s.kwargs = {k: mapped(v, one) for k, v in s.kwargs.items()}


def mapped(value, one):
    if isinstance(value, (list, tuple)):
        return type(value)(mapped(v, one) for v in value) if type(value) in (list, tuple) else [mapped(v, one) for v in value]
    return one(value)


def cut(rng, gm, case_id):
    """(labels, pattern_py) of a pattern for some nodes of the graph; None where none can be written."""
    nodes = region(rng, gm)
    outs = nodes and outputs_of(rng, nodes)
    if not outs:
        return None
    if rng.random() < 0.3:
        return trees.tree(rng, gm, nodes, outs)
    try:
        made = Cut(rng, gm, nodes, outs)
    except ValueError:
        return None
    labels = ["cut"]
    for _ in range(rng.choice([0, 1, 1, 2])):
        change(rng, made, labels)
    return spellings.written(rng, made, case_id, labels)
