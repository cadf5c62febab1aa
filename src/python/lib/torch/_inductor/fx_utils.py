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


def __getattr__(name):
    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
