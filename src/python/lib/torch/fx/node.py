"""torch.fx.node's names."""

import builtins
import types

from _fusescope import partial_modules as _partial
from _fusescope.graph.node import Node  # noqa: F401

from .immutable_collections import immutable_dict, immutable_list

Argument = Target = object


def _type_repr(obj):
    """A short repr for annotations: `int`, `torch.Tensor`."""
    if isinstance(obj, type) and not isinstance(obj, types.GenericAlias):
        return obj.__qualname__ if obj.__module__ == "builtins" else f"{obj.__module__}.{obj.__qualname__}"
    if obj is ...:
        return "..."
    return obj.__name__ if isinstance(obj, types.FunctionType) else repr(obj)


_legal_ops = dict.fromkeys(("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root"))


def _base_types():
    import torch
    from torch._ops import OpOverload

    symbolic = (torch.SymInt, torch.SymBool, torch.SymFloat)
    return (
        str,
        int,
        float,
        bool,
        complex,
        torch.dtype,
        torch.Tensor,
        torch.device,
        torch.memory_format,
        torch.layout,
        OpOverload,
        *symbolic,
    )


base_types = _base_types()

# In-place operators and effects that dead-code elimination keeps.
_side_effectful_functions = set()


def has_side_effect(fn):
    """Marks a function whose calls stay even without users; a decorator."""
    _side_effectful_functions.add(fn)
    return fn


def _get_qualified_name(func):
    """`torch.ops.aten.add.Tensor`, `_operator.getitem`, `getattr`: the name of a call_function's target in FX code."""
    name = func.__name__
    if getattr(builtins, name, None) is func:
        return name
    if getattr(func, "__qualname__", None) == f"Tensor.{name}":
        return f"torch.Tensor.{name}"
    module = getattr(func, "__module__", None) or "torch"
    return f"{module.replace('torch._ops', 'torch.ops')}.{name}"


def map_arg(a, fn):
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


def map_aggregate(a, fn):
    if isinstance(a, (list, tuple)):
        items = [map_aggregate(v, fn) for v in a]
        return (
            immutable_list(items) if isinstance(a, list) else type(a)(*items) if hasattr(a, "_fields") else tuple(items)
        )
    if isinstance(a, dict):
        return immutable_dict((k, map_aggregate(v, fn)) for k, v in a.items())
    if isinstance(a, slice):
        return slice(map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn))
    return fn(a)


__getattr__ = _partial.of_pytorch(__name__)
