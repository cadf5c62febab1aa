"""Captured graphs, several cases of which each need one of their own."""
import copy

import torch


def copied(gm):
    """A copy with what the graph's text does not hold: the names given to nodes that are gone, the order of users."""
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
    """Whether names are taken that no node of the graph has."""
    return bool(graph._graph_namespace._used_names - {n.name for n in graph.nodes})
