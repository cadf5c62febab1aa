"""Runs a call that Dynamo recorded over fake tensors, for the lowering of a graph to ATen."""

import builtins
import math
import operator
from typing import Any

from .. import wire

# Python builtins that Dynamo leaves in a graph.
_BUILTINS = ("abs", "bool", "float", "getattr", "int", "len", "max", "min", "pow", "round", "sum")


def call(target: str, args: list, kwargs: list) -> Any:
    """`torch.rsqrt`, `operator.add`, or `.pow`, a method of the first argument."""
    given = [wire.decode(a) for a in args]
    named = {k: wire.decode(v) for k, v in kwargs}
    function = getattr(given.pop(0), target[1:]) if target.startswith(".") else _function(target)
    return wire.encode(function(*given, **named))


def _function(target):
    import torch

    root, *path = target.split(".")
    if root == "builtins" and path[0] not in _BUILTINS:
        raise NotImplementedError(f"{target} in a graph")
    found = {"torch": torch, "math": math, "builtins": builtins}.get(root, operator)
    for name in path:
        found = getattr(found, name)
    return found
