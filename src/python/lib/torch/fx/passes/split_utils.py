"""A module split by the tags of its nodes (torch.fx.passes.split_utils)."""

import copy
from dataclasses import dataclass, field
from typing import Any

import torch.fx
from _fusescope import partial_modules as _partial
from torch.fx.node import map_arg

from .utils.common import HolderModule, lift_subgraph_as_module


def getattr_recursive(obj, name):
    for layer in name.split("."):
        if not hasattr(obj, layer):
            return None
        obj = getattr(obj, layer)
    return obj


def setattr_recursive(obj, attr, value):
    *path, last = attr.split(".")
    for layer in path:
        obj = getattr(obj, layer)
    setattr(obj, last, value)


@dataclass
class Component:
    graph: Any
    order: int
    name: str
    input_placeholders: list = field(default_factory=list)
    orig_inputs: list = field(default_factory=list)  # nodes of the whole graph that are placeholders here
    orig_outputs: list = field(default_factory=list)
    getattr_maps: dict = field(default_factory=dict)
    constructor_args: list = field(default_factory=list)
    gm: Any = None


def _nodes_of(value):
    found = []
    map_arg(value, found.append)
    return found


class _Split:
    def __init__(self, gm, tags):
        self.gm, self.main, self.in_main = gm, torch.fx.Graph(), {}  # in_main: a node → the main graph's
        self.components = {tag: Component(torch.fx.Graph(), i, tag) for i, tag in enumerate(tags)}
        self.of, self.copies, self.used = {}, {}, {}
        self.output = gm.graph.output_node()
        for node in gm.graph.nodes:
            if node.op == "placeholder":
                self.in_main[node] = self.main.placeholder(node.name, type_expr=node.type)
                self.in_main[node].meta = copy.copy(node.meta)
            elif node.op not in ("get_attr", "output"):
                self.place(node)
        for node in _nodes_of(self.output.args[0]):
            if node.op == "get_attr":
                self.in_main[node] = self.main.get_attr(node.name, type_expr=node.type)
            else:
                self.used[node] = None
        for node in self.used:
            if node.op != "placeholder":
                self.of[node].orig_outputs.append(node)

    def place(self, node):
        """Copies a node into the component of its tag."""
        if not hasattr(node, "tag"):
            raise AssertionError(f"Node does not have tag: {node.format_node()}")
        calls = [n for n in _nodes_of((node.args, node.kwargs)) if n.op not in ("placeholder", "get_attr")]
        newest = max((self.of[n].order for n in calls), default=0)
        component = self.of[node] = self.components[node.tag]
        if component.order < newest:
            raise AssertionError(
                f"Component {component.name} order must be >= max of its upstream components, "
                f"order={component.order} and max={newest}"
            )
        made = self.copies[node] = component.graph.node_copy(node, lambda n: self.input(component, n))
        made.tag = node.tag

    def input(self, component, node):
        """The node of the component that stands for an input."""
        if node.op == "get_attr":
            if node not in component.getattr_maps:
                made = component.getattr_maps[node] = component.graph.get_attr(node.target, type_expr=node.type)
                made.meta = copy.copy(node.meta)
            return component.getattr_maps[node]
        if node.op != "placeholder" and self.of[node] is component:
            return self.copies[node]
        if node not in component.orig_inputs:
            made = component.graph.placeholder(node.name, type_expr=node.type)
            made.meta = copy.copy(node.meta)
            component.orig_inputs.append(node)
            component.input_placeholders.append(made)
            self.used[node] = None
        return component.input_placeholders[component.orig_inputs.index(node)]

    def finish(self, component, return_tuple):
        """Makes the component's module and its call; returns the new paths of what it holds."""
        outs = tuple(self.copies[n] for n in component.orig_outputs)
        alone = len(outs) == 1 and not return_tuple
        component.graph.output(outs[0] if alone else outs)
        component.gm, paths = lift_subgraph_as_module(self.gm, subgraph=component.graph, comp_name=component.name)
        call = self.main.call_module(component.name, tuple(self.in_main[n] for n in component.orig_inputs), None)
        for i, node in enumerate(component.orig_outputs):
            self.in_main[node] = call if alone else torch.fx.Proxy(call)[i].node
        return paths


def split_by_tags(gm, tags, return_fqn_mapping=False, return_tuple=False, GraphModuleCls=torch.fx.GraphModule):
    """A module that calls a submodule for each tag, in their order; every call in the graph of `gm` has a `tag`."""
    split, paths = _Split(gm, tags), {}
    for component in split.components.values():
        paths.update(split.finish(component, return_tuple))
    split.main.output(map_arg(split.output.args[0], split.in_main.__getitem__))
    root = HolderModule({c.name: c.gm for c in split.components.values()})
    for node in _nodes_of(split.output.args[0]):
        if node.op == "get_attr":
            setattr(root, node.name, getattr_recursive(gm, node.target))
    result = GraphModuleCls(root, split.main)
    return (result, paths) if return_fqn_mapping else result


__getattr__ = _partial.of_pytorch(__name__, listed=False)
