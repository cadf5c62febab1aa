"""sglang.srt.compilation.fx_utils: finding nodes, through auto_functionalized where an operator writes."""
import operator

from torch._higher_order_ops.auto_functionalize import auto_functionalized


def is_func(node, target):
    return node.op == "call_function" and node.target == target


def is_auto_func(node, op):
    return is_func(node, auto_functionalized) and node.args[0] == op


def find_specified_fn_maybe(nodes, op):
    return next((n for n in nodes if n.target == op), None)


def find_specified_fn(nodes, op):
    return _found(find_specified_fn_maybe(nodes, op), f"{op} in nodes {nodes}")


def find_auto_fn_maybe(nodes, op):
    return next((n for n in nodes if is_auto_func(n, op)), None)


def find_auto_fn(nodes, op):
    return _found(find_auto_fn_maybe(nodes, op), f"{op} in nodes {nodes}")


def find_getitem_maybe(node, idx):
    return next((u for u in node.users if is_func(u, operator.getitem) and u.args[1] == idx), None)


def find_getitem(node, idx):
    return _found(find_getitem_maybe(node, idx), f"getitem {idx} in node {node}")


def find_op_nodes(op, graph):
    if not op._schema.is_mutable:
        yield from graph.find_nodes(op="call_function", target=op)
    yield from (n for n in graph.find_nodes(op="call_function", target=auto_functionalized) if n.args[0] == op)


def get_only_user(node):
    assert len(node.users) == 1
    return next(iter(node.users))


def _found(node, what):
    assert node is not None, f"Could not find {what}"
    return node
