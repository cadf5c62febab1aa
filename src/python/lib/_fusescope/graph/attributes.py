"""The attributes of a graph that was read from a text: what its nodes tell of them."""

from typing import Any

from .. import engine
from .targets import fn_name


def of(module: Any, name: str) -> Any:
    """The tensor or module that the graph's nodes name as `name` or below it; None if none does."""
    import torch

    below = torch.nn.Module()
    found = None
    for node in module._graph.nodes:
        if node.op not in ("get_attr", "call_module") or node.target.split(".")[0] != name:
            continue
        path = node.target.split(".")[1:]
        value = _held(node) if node.op == "get_attr" else _module(node.target)
        if value is None:
            continue
        if not path:
            return value
        found = below
        _put(below, path, value)
    return found


def classes_of_modules(graph: Any) -> list:
    """[target, class] of each module that the graph calls and Python holds."""
    owner, targets = graph.owning_module, engine.called_modules(graph._table.number)
    modules = dict(owner.named_modules()) if targets and owner is not None else {}
    held = [(target, modules[target]) for target in targets if target in modules]
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


def _module(target):
    return GuardsFn() if target == "_guards_fn" else UnknownModule(target)


def GuardsFn() -> Any:
    """What torch.export writes into each ExportedProgram.module(): it checks the inputs, and gives nothing."""
    import torch

    return type("GuardsFn", (torch.nn.Module,), {"forward": lambda self, *args: None})()


def UnknownModule(target: str) -> Any:
    import torch

    return type(
        "UnknownModule", (torch.nn.Module,), {"forward": _refuse, "extra_repr": lambda self: target, "_target": target}
    )()


def UnknownAttribute(target: str) -> Any:
    import torch

    return type(
        "UnknownAttribute",
        (torch.nn.Module,),
        {"forward": _refuse, "extra_repr": lambda self: target, "_target": target},
    )()


def _refuse(self, *args, **kwargs):
    raise NotImplementedError(f"the graph's text names {self._target}, and does not show what it is")
