"""torch._inductor.fx_passes.bucketing: recognizes collectives. Nothing is bucketed here."""

import torch
from . import names_of

_collectives = torch.ops._c10d_functional


def _calls(node, *targets):
    return node.op == "call_function" and any(node.target == t for t in targets)


def is_all_gather_into_tensor(node):
    return _calls(node, _collectives.all_gather_into_tensor.default, _collectives.all_gather_into_tensor_out.default)


def is_reduce_scatter_tensor(node):
    return _calls(node, _collectives.reduce_scatter_tensor.default)


def is_all_reduce_tensor(node):
    return _calls(node, _collectives.all_reduce.default)


def is_all_to_all_tensor(node):
    return _calls(node, _collectives.all_to_all_single.default)


def is_wait_tensor(node):
    return _calls(node, _collectives.wait_tensor.default)


__getattr__ = names_of(__name__)
