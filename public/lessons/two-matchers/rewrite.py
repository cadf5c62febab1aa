import torch
from torch.fx.subgraph_rewriter import replace_pattern

aten = torch.ops.aten


def search(x):
    return aten.relu.default(aten.mul.Tensor(x, 2.0))


def replacement(x):
    return aten.mul.Tensor(aten.relu.default(x), 2.0)


def rewrite(gm):
    replace_pattern(gm, search, replacement)
