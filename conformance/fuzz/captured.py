"""Captured graphs; some groups of cases share one model and need a separate copy of its graph each."""
import copy

import torch


def copied(gm):
    """A copy with the facts that the graph's text omits: names of erased nodes and the order of users."""
    graph = copy.deepcopy(gm.graph)
    of = dict(zip(gm.graph.nodes, graph.nodes))
    for node, twin in of.items():
        assert node.name == twin.name
        twin.users.clear()
        twin.users.update((of[user], None) for user in node.users)
    graph._graph_namespace._used_names = set(gm.graph._graph_namespace._used_names)
    graph._graph_namespace._base_count = gm.graph._graph_namespace._base_count.copy()
    return torch.fx.GraphModule(gm, graph)


def has_hidden_names(graph):
    """True if the namespace contains names that no node of the graph has."""
    return bool(graph._graph_namespace._used_names - {n.name for n in graph.nodes})
