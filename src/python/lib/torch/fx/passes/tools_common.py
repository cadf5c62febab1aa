"""Orders of a graph's nodes."""

import collections
import heapq
import operator

import torch
import torch.fx
from _fusescope import partial_modules as _partial
from torch.fx.node import _get_qualified_name

Tensors = tuple | list
TensorOrTensors = object
NodeList, NodeSet, Names = list, set, list
CALLABLE_NODE_OPS = {"call_module", "call_function", "call_method"}


def get_acc_ops_name(k):
    if isinstance(k, str):
        return k
    if k.__module__ and "acc_ops" in k.__module__:
        return f"acc_ops.{k.__name__}"
    return f"{(k.__module__ or '').replace('torch._ops', 'torch.ops')}.{k.__name__}"


def get_node_target(submodules, node):
    if node.op not in CALLABLE_NODE_OPS:
        raise AssertionError(f"Expect op types of {', '.join(CALLABLE_NODE_OPS)}, but found {node.op}")
    if node.op == "call_module":
        module = submodules[node.target]
        return get_acc_ops_name(getattr(module, "_base_class_origin", type(module)))
    if node.op == "call_function":
        function = node.target
        of_acc = function.__module__ is not None and "acc_ops" in function.__module__
        return f"acc_ops.{function.__name__}" if of_acc else _get_qualified_name(function)
    return node.target


def is_node_output_tensor(node):
    kind = node.meta.get("type")
    return kind is not None and issubclass(kind, torch.Tensor)


def _first():
    aten = torch.ops.aten
    signs = "add mul sub floordiv truediv mod le lt ge gt eq ne".split()
    return [
        *(getattr(operator, sign) for sign in signs),
        aten.sym_constrain_range.default,
        aten.sym_constrain_range_for_size.default,
        aten._assert_async.msg,
        aten.scalar_tensor.default,
        aten._assert_scalar.default,
    ]


def legalize_graph(gm):
    """Orders the nodes after their inputs, those without inputs first; arithmetic on sizes goes before the rest."""
    first, ready = _first(), collections.deque()

    def add(node):
        early = node.op == "call_function" and node.target in first
        (ready.appendleft if early else ready.append)(node)

    return _sorted(gm, ready.append, add, ready.popleft, ready, RuntimeError)


def stable_topological_sort(gm):
    """Orders the nodes after their inputs, and otherwise as they are."""
    at, ready = {node: i for i, node in enumerate(gm.graph.nodes)}, []

    def add(node):
        heapq.heappush(ready, (at[node], node))

    return _sorted(gm, add, add, lambda: heapq.heappop(ready)[1], ready, AssertionError)


def _sorted(gm, begin, add, take, ready, kind):
    missing = dict.fromkeys(gm.graph.nodes, 0)
    for node in gm.graph.nodes:
        for user in node.users:
            missing[user] += 1
    for node, count in missing.items():
        if count == 0:
            begin(node)
    made, env = torch.fx.Graph(), {}
    while ready:
        node = take()
        env[node] = made.node_copy(node, env.__getitem__)
        for user in node.users:
            missing[user] -= 1
            if missing[user] == 0:
                add(user)
    if len(env) < len(missing):
        raise kind(f"Input graph has cycles, unable to add {[node for node, count in missing.items() if count]}")
    made._codegen = gm.graph._codegen
    gm.graph = made
    return gm


__getattr__ = _partial.of_pytorch(__name__)
