"""Graphs as submodules, and the comparison of two graphs."""

import operator

import torch
from torch.fx.graph_module import GraphModule


class HolderModule(torch.nn.Module):
    """A module that only holds children."""

    def __init__(self, d):
        super().__init__()
        for name, module in d.items():
            self.add_module(name, module)


def lift_subgraph_as_module(gm, subgraph, comp_name="", class_name="GraphModule"):
    """Returns a GraphModule of the subgraph, with the attributes of `gm` that it uses, and a dict from old to new paths of its modules."""
    copied, remapped = HolderModule({}), {}
    for node in subgraph.nodes:
        if node.op not in ("call_module", "get_attr"):
            continue
        target = node.target
        atoms = target.split(".")
        holder = copied
        for atom in atoms[:-1]:
            if not hasattr(holder, atom):
                holder.add_module(atom, HolderModule({}))
            holder = getattr(holder, atom)
        setattr(holder, atoms[-1], operator.attrgetter(target)(gm))
        remapped[target] = f"{comp_name}.{target}"
    return GraphModule(copied, subgraph, class_name), remapped


def compare_graphs(left, right):
    """True if both graphs compute the same, node for node."""
    from .matcher_utils import SubgraphMatcher

    return bool(SubgraphMatcher(left, match_output=True, match_placeholder=True).match(right))
