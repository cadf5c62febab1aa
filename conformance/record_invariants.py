"""Judges each recorded rewrite by running it: what a real PyTorch computes for the graph before and after.

Runs on a real PyTorch 2.14.1:

    python3 conformance/record_invariants.py OUT cases/*.jsonl

The graph of a case is built again from its print_readable text and run over fake tensors, before and after the case's
passes. `OUT` gets one JSON object: by case, for each pass, what it broke; what is in it already stays. Files whose cases
declare an operator in different ways want a run each.

    values    a value has another dtype, shape or device than its metadata says, an output is another, or running raised
    alias     outputs that share storage with an input, or with one another, and did not before
    mutation  operators that write, put into a graph that did not, before its epilogue
    order     the graph cannot be sorted

Cases with symbols, subgraphs, or operators without a fake implementation are left out, and counted.
"""

import ast
import collections
import json
import operator
import pathlib
import re
import sys

import torch
import torch.fx
from torch._inductor import pattern_matcher as pm
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils import _pytree as pytree

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
    "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "b8": torch.bool, "c64": torch.complex64,
    "c128": torch.complex128, "f8e4m3fn": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2,
    "f8e8m0fnu": torch.float8_e8m0fnu, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64,
}  # fmt: skip
INFIX = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}
NAMES = {"torch": torch, "device": torch.device, "inf": float("inf"), "nan": float("nan")}


class Unknown(Exception):
    """The case cannot be run here."""


def tensor_of(mode, text):
    found = re.fullmatch(r"(\w+)\[([\d, ]*)\]\[([\d, ]*)\]cpu", text)
    if not found or found[1] not in DTYPES:
        raise Unknown(text)
    shape, stride = ([int(n) for n in part.split(",") if n.strip()] for part in (found[2], found[3]))
    with mode:
        return torch.empty_strided(shape, stride, dtype=DTYPES[found[1]])


class Reader:
    """A print_readable text as a graph, with metadata on the placeholders."""

    def __init__(self, mode):
        self.mode, self.graph, self.nodes = mode, torch.fx.Graph(), {}

    def read(self, text):
        text = re.sub(r"^class <lambda>", "class Model", text)
        forward = ast.parse(text).body[0].body[0]
        for arg in forward.args.args[1:]:
            if arg.annotation is None:
                raise Unknown("a subgraph")
            node = self.graph.placeholder(arg.arg)
            node.meta["val"] = tensor_of(self.mode, arg.annotation.value)
            self.nodes[arg.arg] = node
        for line in forward.body:
            if isinstance(line, ast.Return):
                self.graph.output(self.value(line.value))
                continue
            target = line.target if isinstance(line, ast.AnnAssign) else line.targets[-1]
            if isinstance(line.value, ast.Constant):
                continue  # x = None
            if not isinstance(line.value, (ast.Call, ast.Subscript, ast.BinOp)):
                raise Unknown(ast.unparse(line))
            self.nodes[target.id] = self.call(line.value, target.id)
        return self.graph

    def call(self, made, name):
        if isinstance(made, ast.Subscript):
            fn, args, kwargs = operator.getitem, (self.value(made.value), self.value(made.slice)), {}
        elif isinstance(made, ast.BinOp):
            fn, args, kwargs = INFIX[type(made.op)], (self.value(made.left), self.value(made.right)), {}
        else:
            fn = eval(ast.unparse(made.func), dict(NAMES))
            args = tuple(self.value(a) for a in made.args)
            kwargs = {k.arg: self.value(k.value) for k in made.keywords}
        return self.graph.create_node("call_function", fn, args, kwargs, name=name)

    def value(self, node):
        if isinstance(node, ast.Name) and node.id in self.nodes:
            return self.nodes[node.id]
        if isinstance(node, ast.List):
            return [self.value(n) for n in node.elts]
        if isinstance(node, ast.Tuple):
            return tuple(self.value(n) for n in node.elts)
        return eval(ast.unparse(node), dict(NAMES))


def values_of(graph, mode, keep):
    """Each node's value over fake tensors; `keep` puts it into the metadata too."""
    values = {}
    for node in graph.nodes:
        if node.op == "placeholder":
            values[node] = node.meta["val"]
        elif node.op == "call_function":
            args, kwargs = pytree.tree_map_only(torch.fx.Node, values.__getitem__, (node.args, dict(node.kwargs)))
            with mode:
                values[node] = node.target(*args, **kwargs)
            if keep:
                node.meta["val"] = values[node]
        elif node.op == "output":
            values[node] = pytree.tree_map_only(torch.fx.Node, values.__getitem__, node.args[0])
        else:
            raise Unknown(node.op)
    return values


def plain(value):
    """What counts of a value: strides do not, Inductor chooses them anew."""
    return pytree.tree_map(lambda x: (x.dtype, tuple(x.shape), x.device) if isinstance(x, torch.Tensor) else type(x), value)


def storages(value):
    return [x.untyped_storage()._cdata if isinstance(x, torch.Tensor) else None for x in pytree.tree_leaves(value)]


def sharing(graph, values):
    """Pairs of outputs, and of an output and an input, in one storage."""
    inputs = [values[n].untyped_storage()._cdata for n in graph.nodes if n.op == "placeholder"]
    outputs = storages(values[next(reversed(graph.nodes))])
    pairs = {("input", i, j) for i, o in enumerate(outputs) for j, s in enumerate(inputs) if o == s}
    return pairs | {("output", i, j) for i, o in enumerate(outputs) for j in range(i) if o is not None and o == outputs[j]}


def writes(node):
    return isinstance(node.target, torch._ops.OpOverload) and node.target._schema.is_mutable


def writing(graph):
    """Nodes that write, without the copies into inputs at the end."""
    nodes = [n for n in graph.nodes if n.op == "call_function"]
    while nodes and nodes[-1].target is torch.ops.aten.copy_.default and nodes[-1].args[0].op == "placeholder":
        nodes.pop()
    return [n for n in nodes if writes(n)]


def judged(gm, mode, p):
    graph = gm.graph
    before = values_of(graph, mode, keep=True)
    known = {n: plain(v) for n, v in before.items()}
    shared, wrote = sharing(graph, before), writing(graph)
    output = next(reversed(graph.nodes))
    p.apply(graph)
    found = {}
    if not wrote and (written := [n.name for n in writing(graph) if n not in known]):
        found["mutation"] = written
    try:
        pm.stable_topological_sort(graph)
        graph.lint()
    except (AssertionError, RuntimeError):
        return found | {"order": True}
    try:
        after = values_of(graph, mode, keep=False)
    except (Unknown, NotImplementedError):
        raise  # a lowering handler is not there to be called
    except Exception as e:
        return found | {"values": [f"{type(e).__name__}"]}
    said = {n: known[n] if n in known else plain(n.meta["val"]) for n in graph.nodes if n in known or "val" in n.meta}
    other = [n.name for n in graph.nodes if n in said and n is not output and said[n] != plain(after[n])]
    if known[output] != plain(after[output]):
        other.append("output")
    if other:
        found["values"] = other
    if new := sharing(graph, after) - shared:
        found["alias"] = sorted(map(list, new))
    return found


out = pathlib.Path(sys.argv[1])
results, why = json.loads(out.read_text()) if out.exists() else {}, collections.Counter()
for path in sys.argv[2:]:
    for line in open(path):
        case = json.loads(line)
        expected = case["expected"]
        if "passes" not in expected or not any(p.get("count") for p in expected["passes"]):
            continue
        mode = FakeTensorMode()
        namespace = {"__name__": "user_pattern"}
        try:
            with mode:
                exec(compile(case["pattern_py"], "pattern.py", "exec"), namespace)
            graph = Reader(mode).read(case["readable"])
            gm = torch.fx.GraphModule(torch.nn.Module(), graph)
            rows = {}
            for p in expected["passes"]:
                found = judged(gm, mode, namespace[p["pass"]])
                if found:
                    rows[p["pass"]] = found
            results[case["id"]] = rows
        except Exception as e:
            why[f"{type(e).__name__}: {str(e)[:60]}"] += 1
out.write_text(json.dumps(results, indent=1) + "\n")
print(len(results), "judged,", sum(map(bool, results.values())), "broke something,", sum(why.values()), "left out")
for reason, n in why.most_common(12):
    print(n, reason)
