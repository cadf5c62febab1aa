"""Maps Node.target names to functions and back."""
import importlib
import sys


def function(name):
    """The function or operator that Node.target names."""
    if name.startswith("python:"):  # a user function, inserted by a lowering pattern
        module, _, attr = name.removeprefix("python:").rpartition(".")
        return getattr(sys.modules.get(module), attr, name)
    if not name.startswith(("operator.", "_operator.", "torch.", "math.", "builtins.")):
        from torch._ops import overload_named

        return overload_named(name)
    module, _, attr = name.rpartition(".")
    return getattr(importlib.import_module(module), attr)


def fn_name(f):
    """The Node.target name of a function: `aten.add.Tensor`, `operator.getitem`, `torch.functional.split`."""
    if isinstance(f, str):
        return f
    name = getattr(f, "_fusescope_op", None)
    if isinstance(name, str):
        return name
    module = getattr(f, "__module__", None) or "builtins"
    return f"{'operator' if module == '_operator' else module}.{getattr(f, '__qualname__', type(f).__name__)}"
