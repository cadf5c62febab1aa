"""Mutations of a graph: the matcher replaces nothing across one, and passes number the nodes between them."""

import re
from typing import Any

from torch._ops import OpOverload

_MUTATES = re.compile(r"(?<!_)(_$|_[.]|(\b|_)(set|enter|exit|seed)(\b|_))(?!_)")


def is_mutation_op(node: Any) -> bool:
    """By the schema of an operator; by the name of another function or method, or an `out` that is given."""
    target = node.target
    if isinstance(target, OpOverload):
        return target._schema.is_mutable and str(target) != "inductor.resize_storage_bytes_.default"
    name = target.__name__ if node.op == "call_function" else target if node.op == "call_method" else ""
    if name == "auto_functionalized":
        return False
    return bool(_MUTATES.search(name)) or node.kwargs.get("out") is not None


def is_start_of_fx_graph(graph: Any, node: Any) -> bool:
    return node is next(iter(graph.nodes))


def should_compute_mutation_region_ids(graph: Any) -> bool:
    return "mutation_region_id" not in next(iter(graph.nodes)).meta


def compute_mutation_region_ids(graph: Any) -> None:
    """Numbers the nodes by the mutations up to each, itself included."""
    region = 0
    for node in graph.nodes:
        region += is_mutation_op(node)
        node.meta["mutation_region_id"] = region


def get_mutation_region_id(graph: Any, node: Any) -> int:
    """The number of a node, also of one that was inserted after the others had theirs."""
    at = node
    while "mutation_region_id" not in at.meta and not is_start_of_fx_graph(graph, at):
        at = at.prev
    region = at.meta.get("mutation_region_id", 0)
    while at is not node:
        at = at.next
        region += is_mutation_op(at)
        at.meta["mutation_region_id"] = region
    return region


def same_mutation_regions(a: Any, b: Any) -> bool:
    for name, node in (("a", a), ("b", b)):
        if "mutation_region_id" not in node.meta:
            raise AssertionError(f"mutation_region_id missing from {name}.meta")
    return a.meta["mutation_region_id"] == b.meta["mutation_region_id"]
