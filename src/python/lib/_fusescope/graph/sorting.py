"""Topological order of a graph's nodes."""

from typing import Any

from torch.fx.node import map_arg


def stable_topological_sort(graph: Any) -> None:
    """Moves nodes after their inputs and otherwise keeps the order."""
    nodes = list(graph.nodes)
    pending, ready, waiting, cursor = nodes[::-1], set(), {}, None
    while pending:
        node = pending.pop()
        missing = [x for x in _inputs(node) if x not in ready]
        if missing:
            waiting.setdefault(missing[-1], []).append(node)
            continue
        ready.add(node)
        if cursor is not None and cursor.next != node:
            cursor.append(node)
        cursor = node
        pending.extend(reversed(waiting.pop(node, ())))
    if waiting or len(ready) != len(nodes):
        raise AssertionError("topological sort did not consume all nodes")


def _inputs(node):
    found = []
    map_arg((node.args, node.kwargs), found.append)
    return found
