"""torch._inductor.fx_utils: the values and storages of nodes."""

import torch
from torch.fx import Node
from torch.fx.node import map_arg


def get_storage(t):
    return t.untyped_storage()._cdata


def get_node_storage(node):
    value = node.meta.get("val")
    return get_storage(value) if isinstance(value, torch.Tensor) else None


def get_fake(x, gm=None):
    if not isinstance(x, Node):
        return x
    for key in ("val", "example_value"):
        if key in x.meta:
            return x.meta[key]
    return getattr(gm, x.target, None) if x.op == "get_attr" else None


def get_fake_args_kwargs(x, gm=None):
    """(whether every input has a value, args, kwargs)."""
    args, kwargs = map_arg(x.args, lambda n: get_fake(n, gm)), map_arg(x.kwargs, lambda n: get_fake(n, gm))
    known = all(not isinstance(a, Node) for a in (*args, *kwargs.values()))
    return known, args, kwargs


def matches_module_function_pattern(pattern, node, modules):
    """True for a call of pattern[1] whose first argument is a call of a module of type pattern[0] that only it uses."""
    if not node.args or not isinstance(node.args[0], Node) or node.op not in ("call_function", "call_method"):
        return False
    (first, *_), (kind, function) = node.args, pattern
    if first.op != "call_module" or type(modules.get(first.target)) is not kind:
        return False
    return node.target == function and len(first.users) <= 1


def __getattr__(name):
    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
