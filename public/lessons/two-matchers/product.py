import torch
from torch.fx.subgraph_rewriter import replace_pattern

aten = torch.ops.aten


def search(a, b):
    return aten.exp.default(aten.mul.Tensor(a, b))


def replacement(a, b):
    return aten.exp.default(aten.mul.Tensor(b, a))


def product(gm):
    replace_pattern(gm, search, replacement)
