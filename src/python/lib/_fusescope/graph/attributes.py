"""The attributes of a graph that was read from a text, as far as its nodes describe them."""

import functools
import sys
from collections.abc import Callable
from typing import Any

from .. import engine, frames
from .targets import fn_name


def of(module: Any, name: str) -> Any:
    """The tensor or module that the graph's nodes name as `name` or below it; None if none does."""
    import torch

    below = torch.nn.Module()
    found = classes = None
    for node in module._graph.nodes:
        if node.op not in ("get_attr", "call_module") or node.target.split(".")[0] != name:
            continue
        if node in module._graph._copied:
            continue
        path = node.target.split(".")[1:]
        if node.op == "call_module" and classes is None:
            classes = dict(engine.called_modules(module._graph._table.number))
        value = _held(node) if node.op == "get_attr" else _module(node.target, classes[node.target])
        if value is None:
            continue
        if not path:
            return value
        found = below
        _put(below, path, value)
    return found


def filled(method: Callable) -> Callable:
    """A method of nn.Module that lists modules, with those that the graph calls."""

    @functools.wraps(method)
    def listing(self, *args, **kwargs):
        _fill(self)
        return method(self, *args, **kwargs)

    return listing


def _fill(module):
    """Makes the modules that the graph calls, before those that a pass has added."""
    if not module.__dict__.get("_of_text") or module.__dict__.get("_graph") is None:
        return
    added = dict(module._modules)
    for node in module._graph.nodes:
        if node.op == "call_module":
            getattr(module, node.target.split(".")[0], None)
    for name in added if len(module._modules) > len(added) else ():
        module._modules[name] = module._modules.pop(name)


def classes_of_modules(graph: Any) -> list:
    """[target, class] of each module that the graph calls and Python holds."""
    import torch

    owner, called = graph.owning_module, engine.called_modules(graph._table.number)
    modules = dict(torch.nn.Module.named_modules(owner)) if called and owner is not None else {}
    held = [(target, modules[target]) for target, _ in called if target in modules]
    return [[target, fn_name(type(module))] for target, module in held if not hasattr(module, "_target")]


def _put(module, path, value):
    import torch

    for part in path[:-1]:
        if part not in module._modules:
            module.add_module(part, torch.nn.Module())
        module = module._modules[part]
    if path[-1] in module._modules:
        return
    if isinstance(value, torch.Tensor):
        module._buffers[path[-1]] = value
    elif is_unknown(value):
        module.__dict__[path[-1]] = value
    else:
        module._modules[path[-1]] = value


def _held(node):
    """The graph module of a higher-order operator, or a tensor."""
    from torch.fx import GraphModule

    body = engine.graph_body(node.graph._table.number, node.target)
    return _tensor(node) if body is None else GraphModule._traced(body)


def _tensor(node):
    """The value of a get_attr; a tensor of unknown shape is not made up."""
    import torch

    val = node.meta.get("val", node.meta.get("example_value"))
    return val if isinstance(val, torch.Tensor) else UnknownAttribute(node.target)


def _module(target, class_name):
    """A module of the class in the text or the module's name, without constructor arguments."""
    import torch

    if target == "_guards_fn":
        return GuardsFn()
    kind = getattr(torch.nn, (class_name or "").rpartition(".")[2], None)
    if not isinstance(kind, type):
        return UnknownModule(target)
    made = kind.__new__(kind)
    torch.nn.Module.__init__(made)
    made.__dict__.update(_target=target, forward=lambda *args, **kwargs: _refuse(made))
    return made


def GuardsFn() -> Any:
    """torch.export's check of the inputs in each ExportedProgram.module(); it returns nothing."""
    import torch

    return type("GuardsFn", (torch.nn.Module,), {"forward": lambda self, *args: None})()


class _Unnamed(type):
    @property
    def __name__(cls):
        _refuse_users(cls._target)
        return "UnknownModule"


def _class_of(self):
    _refuse_users(self._target)
    return type(self)


def _refuse_users(target):
    """A query of the class has no answer, and a wrong one would edit the graph."""
    if sys._getframe(2).f_code.co_filename.startswith(frames.WORKSPACE):
        raise NotImplementedError(f"the graph's text does not show the class of module {target}: print(gm) lists it")


def UnknownModule(target: str) -> Any:
    import torch

    members = {"forward": _refuse, "extra_repr": lambda self: target, "_target": target}
    return _Unnamed("UnknownModule", (torch.nn.Module,), {**members, "__class__": property(_class_of)})()


def UnknownAttribute(target: str) -> Any:
    """No module of `named_modules()`: it may be a parameter or a buffer."""
    import torch

    return type(
        "UnknownAttribute",
        (torch.nn.Module,),
        {"forward": _refuse, "extra_repr": lambda self: target, "_target": target},
    )()


def is_unknown(value: Any) -> bool:
    return type(value).__name__ == "UnknownAttribute"


def _refuse(self, *args, **kwargs):
    raise NotImplementedError(f"the graph's text names {self._target}, and does not show what it is")
