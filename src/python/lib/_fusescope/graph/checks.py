"""Graph.lint, Graph.print_tabular, and what Graph.get_attr checks."""

import warnings
from typing import Any

from .. import engine


def lint(graph: Any) -> None:
    seen, names, foreign = set(), set(), dict(engine.graph_foreign(graph._table.number))
    for node in graph.nodes:
        for arg in node.all_input_nodes:
            if arg.name == foreign.get(node._key):
                raise RuntimeError(
                    f"Argument '{arg}' of Node '{node}' does not belong to this Graph, but was used as an argument! If you are copying "
                    f"nodes from another graph, make sure to use ``arg_transform`` on node_copy() to remap values\n{graph}"
                )
            if arg not in seen:
                raise RuntimeError(
                    f"Argument '{arg}' of Node '{node}' was used before it has been defined! Please check that Nodes in the graph are "
                    f"topologically ordered\n{graph}"
                )
        seen.add(node)
        if node.name in names:
            raise RuntimeError(f"Node redefined name {node.name}!")
        names.add(node.name)
    if graph._owner is not None:
        for node in graph.nodes:
            if node.op in ("get_attr", "call_module"):
                _attribute(graph._owner, node)


def _attribute(owner, node):
    import torch

    atoms, value = node.target.split("."), owner
    for i, atom in enumerate(atoms):
        value = getattr(value, atom, None)
        of = ".".join(atoms[:i])
        if value is None:
            raise RuntimeError(f"Node {node} target {node.target} references nonexistent attribute {atom} of {of}")
        if node.op == "call_module" and not isinstance(value, torch.nn.Module):
            raise RuntimeError(f"Node {node} target {node.target} {atom} of {of} does not reference an nn.Module")


def warn_of_attribute(owner: Any, name: str) -> None:
    """Graph.get_attr warns of a name that is no module, parameter or buffer."""
    import torch

    path, _, last = name.rpartition(".")
    try:
        module = owner.get_submodule(path)
    except AttributeError:
        warnings.warn(f"Failed to fetch module {path}!")
        return
    found = getattr(module, last, None)
    if not isinstance(found, (torch.nn.Module, torch.nn.Parameter)) and last not in module._buffers:
        warnings.warn(
            "Attempted to insert a get_attr Node with no underlying reference in the owning GraphModule! Call GraphModule.add_submodule to "
            "add the necessary submodule, GraphModule.add_parameter to add the necessary Parameter, or nn.Module.register_buffer to add "
            "the necessary buffer",
            stacklevel=3,
        )


def tabular(graph: Any) -> str:
    """The table of Graph.print_tabular, as the package tabulate draws it."""
    head = ("opcode", "name", "target", "args", "kwargs")
    rows = [[str(v) for v in (n.op, n.name, n.target, n.args, n.kwargs)] for n in graph.nodes]
    widths = [max([len(h), *(len(r[i]) for r in rows)]) for i, h in enumerate(head)]
    lines = [head, ["-" * w for w in widths], *rows]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(line, widths)).rstrip() for line in lines)
