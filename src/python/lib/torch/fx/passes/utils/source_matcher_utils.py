"""torch.fx.passes.utils.source_matcher_utils: the nodes that one module or function of the source gave."""

from dataclasses import dataclass, field
from typing import Any

from _fusescope import partial_modules as _partial
from torch.fx.node import Node


@dataclass
class SourcePartition:
    nodes: list
    source: Any
    input_nodes: list = field(default_factory=list)
    output_nodes: list = field(default_factory=list)
    params: list = field(default_factory=list)


def _source(node, wanted):
    """(source, its name) of a node, or None."""
    stack = node.meta.get("source_fn_stack")
    if stack is not None:
        name, source = stack[-1]
        return (source, name) if source in wanted else None
    traced = node.meta.get("torch_fn")
    if traced is not None and traced[1].split(".")[1] in wanted:
        return traced[1].split(".")[1], traced[0]
    modules = node.meta.get("nn_module_stack") if node.op == "call_function" else None
    if not modules:
        return None
    path, kind = list(modules.values())[-1]
    for source in wanted:
        if isinstance(source, type):
            qualified = f"{source.__module__}.{source.__qualname__}"
            if issubclass(kind, source) if isinstance(kind, type) else kind == qualified:
                return source, path
        elif kind == source:
            return source, path
    return None


def get_source_partitions(graph, wanted_sources, filter_fn=None):
    found = {}
    for node in graph.nodes:
        source = _source(node, wanted_sources)
        if source is not None:
            found.setdefault(source[0], {}).setdefault(source[1], []).append(node)
    if filter_fn:
        found = {
            k: {name: nodes for name, nodes in parts.items() if all(map(filter_fn, nodes))}
            for k, parts in found.items()
        }
    return {source: [_partition(nodes, source) for nodes in parts.values()] for source, parts in found.items()}


def _partition(nodes, source):
    params = {node for node in nodes if node.op == "get_attr"}
    inputs = {a for node in nodes for a in node.args if isinstance(a, Node) and a not in nodes and a.op != "get_attr"}
    outputs = {node for node in nodes if node not in params and any(user not in nodes for user in node.users)}
    return SourcePartition(nodes, source, sorted(inputs), sorted(outputs), sorted(params))


def check_subgraphs_connected(subgraph1, subgraph2):
    return any(user in subgraph2.nodes for node in reversed(subgraph1.nodes) for user in node.users)


__getattr__ = _partial.of_pytorch(__name__)
