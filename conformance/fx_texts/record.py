"""Prints, as JSON, PyTorch 2.14.1's texts of graphs with constructs that are rare in dumps.

`python3 record.py > texts.json`. Each entry: id, graph (str(graph)), and print_readable three ways: `readable` with
strides and devices, `readable_plain`, and `expanded` (one parameter per line).
"""
import json
import math
import operator
import sys

import torch
import torch.fx as fx
from torch.export import Dim, export
from torch.fx.experimental.proxy_tensor import make_fx

texts = []


def add(name, gm):
    texts.append({
        "id": name,
        "graph": str(gm.graph),
        "readable": gm.print_readable(print_output=False, include_stride=True, include_device=True),
        "readable_plain": gm.print_readable(print_output=False),
        "expanded": gm.print_readable(print_output=False, expanded_def=True),
    })


class Modules(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.ReLU()])
        self.w = torch.nn.Parameter(torch.ones(2))
        self.blk = torch.nn.Sequential(torch.nn.Linear(2, 2))


def values_and_operators():
    g = fx.Graph()
    fn, method, nan, inf = g.call_function, g.call_method, float("nan"), float("inf")
    x = g.placeholder("x")
    g.placeholder("input")
    inference = g.placeholder("inference")
    y = g.placeholder("y", default_value=None)
    a = fn(operator.mul, (2, x))
    b = fn(operator.sub, (x, -1.5))
    c = fn(operator.pow, (x, -0.0))
    d = fn(operator.neg, (inference,))
    fn(operator.not_, (x,))
    fn(math.ceil, (x,))
    shape = fn(getattr, (x, "shape"))
    fn(getattr, (x, "foo", None))
    fn(getattr, (x, "a b"))
    n = fn(len, (shape,))
    fn(operator.iadd, (x, y))
    fn(operator.setitem, (x, (slice(None, n, None), 0, Ellipsis, None), 3))
    fn(operator.ilshift, (x, 1))
    g.call_module("layers.0", (x,))
    g.get_attr("layers.0.weight")
    g.get_attr("w")
    g.call_module("blk.0", (x,))
    method("__getitem__", (x, 0))
    method("view", (x, (1, -1), [2, 3]), {"dtype": torch.int8})
    fn(torch.ops.aten.full.default, ([2], complex(0, 2)), {
        "a": {"k": x, "z": [1, {"q": "w,w"}]}, "mf": torch.channels_last, "s": "", "t": "a\nb",
        "u": "tab\t\x01é\u200b'\"", "dev": torch.device("cuda", 0)})
    fn(torch.ops.aten.add.Tensor, ("(paren)", "[un", "a, b", "x: y", "None", "1", "{", ""))
    fn(torch.ops.aten.add.Tensor, (
        1e16, 1e15, 123456789012345678.0, 1e-4, 1e-5, 0.1, -0.0, 5e-324, 1.7976931348623157e308, 2**70, -3, True, inf,
        -inf, nan, 1e22, 1e21, 123456.789e3, 1e-7))
    fn(torch.ops.aten.add, (x,))
    fn(torch.relu, (x,))
    fn(torch.Tensor.add, (x, x))
    fn(operator.getitem, (x, slice(n, None, None)))
    for op in (operator.and_, operator.matmul, operator.floordiv, operator.contains, max, slice):
        fn(op, (x, y))
    for op in (operator.invert, operator.pos):
        fn(op, (x,))
    fn(operator.lshift, (x, 2))
    fn(operator.ne, ((1, 2), x))
    fn(torch.ops.aten.add.Tensor, (
        (), [], (x,), [x], ((x,),), complex(1, -2), complex(-0.0, 1), complex(nan, inf), complex(1e16, 1e-7)))
    fn(torch.ops.higher_order.cond, (torch.ops.aten.add.Tensor, torch.ops.higher_order.while_loop))
    g.output(([a, (b, None)], {"k": c}, slice(None, d, None), "str", torch.float32, torch.device("cpu"), 1.5, -3, True,
              complex(1, 2)))
    add("values_and_operators", fx.GraphModule(Modules(), g, "Everything"))


def types():
    g = fx.Graph()
    x = g.placeholder("x", type_expr=torch.Tensor)
    g.output(g.call_function(torch.neg, (x,), type_expr=torch.Tensor), type_expr=torch.Tensor)
    add("types", fx.GraphModule(torch.nn.Module(), g))
    g = fx.Graph()
    g.output(None)
    add("empty", fx.GraphModule(torch.nn.Module(), g))


class Pytree(torch.nn.Module):
    def forward(self, x, d):
        return {"a": x[0] + d["k"], "b": [x[1]]}


class NestedCond(torch.nn.Module):
    def forward(self, x, y):
        def inner(a, b):
            return torch.cond(a.sum() > 1, lambda a, b: a + b, lambda a, b: a * b, (a, b))

        return torch.cond(x.sum() > 0, inner, lambda a, b: a - b, (x, y))


class Dynamic(torch.nn.Module):
    def forward(self, x, y):
        n = x.shape[0]
        return x.reshape(-1)[: n // 2], y + n * 2, torch.ones(x.shape[0] * x.shape[1] + 1), x.shape[0] // 2


values_and_operators()
types()
ones = torch.ones
add("pytree", export(Pytree(), ((ones(2), ones(2)), {"k": ones(2)})).module())
program = export(NestedCond(), (ones(2), ones(2)))
add("nested_cond", program.graph_module)
add("nested_cond_module", program.module())
sizes = {"x": {0: Dim.AUTO, 1: Dim.AUTO}, "y": None}
add("dynamic", export(Dynamic(), (ones(8, 6), ones(2)), dynamic_shapes=sizes).graph_module)
add("symbolic", make_fx(lambda x: x.new_zeros(x.shape[0] * 2) + x.shape[0], tracing_mode="symbolic")(ones(5, 3)))
json.dump(texts, sys.stdout, indent=1, ensure_ascii=False)
