"""Tests of replacement.py; they run after the passes, and the Console lists them."""
import torch
from replacement import patterns
from torch._inductor.pattern_matcher import fwd_only


def test_replaces_each_layer():
    def model(x, w):
        return torch.relu(torch.relu(x * w) * w)

    gm = fwd_only(model, [torch.empty(4, 8), torch.empty(8)])
    assert patterns.apply(gm.graph) == 2


def test_leaves_other_operators(graph):
    patterns.apply(graph)
    assert graph.find_nodes(op="call_function", target=torch.ops.aten.relu.default) == []
