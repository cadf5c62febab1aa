"""Functions by the names that graphs have for them."""
import importlib
import sys


def function(name):
    """The function, or operator, that Node.target names."""
    if name.startswith("python:"):  # a function of the user's, where a lowering put it
        module, _, attr = name.removeprefix("python:").rpartition(".")
        return getattr(sys.modules.get(module), attr, name)
    if not name.startswith(("operator.", "_operator.", "torch.", "math.", "builtins.")):
        from torch._ops import overload_named

        return overload_named(name)
    module, _, attr = name.rpartition(".")
    return getattr(importlib.import_module(module), attr)
