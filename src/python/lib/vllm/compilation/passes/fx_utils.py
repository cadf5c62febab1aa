"""vllm.compilation.passes.fx_utils: finds nodes and their operators."""

import operator

from torch._higher_order_ops.auto_functionalize import auto_functionalized


def is_func(node, target):
    return node.op == "call_function" and node.target == target


def is_auto_func(node, op):
    return is_func(node, auto_functionalized) and node.args[0] == op


def _first(found, message):
    for node in found:
        return node
    raise ValueError(message)


def find_specified_fn_maybe(nodes, op):
    return next((n for n in nodes if is_func(n, op)), None)


def find_specified_fn(nodes, op):
    return _first((n for n in nodes if is_func(n, op)), f"Could not find {op} in nodes {nodes}")


def find_auto_fn_maybe(nodes, op):
    return next((n for n in nodes if is_auto_func(n, op)), None)


def find_auto_fn(nodes, op):
    return _first((n for n in nodes if is_auto_func(n, op)), f"Could not find {op} in nodes {nodes}")


def find_getitem_maybe(node, idx):
    return next((u for u in node.users if is_func(u, operator.getitem) and u.args[1] == idx), None)


def find_getitem(node, idx):
    found = find_getitem_maybe(node, idx)
    if found is None:
        raise ValueError(f"Could not find getitem {idx} in node {node}")
    return found


def find_op_nodes(op, graph):
    """Calls of the operator, plain or auto-functionalized."""
    for node in graph.nodes:
        if is_func(node, op) or is_auto_func(node, op):
            yield node


def get_only_user(node):
    (user,) = node.users
    return user
