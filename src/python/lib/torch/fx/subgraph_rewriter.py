"""torch.fx.subgraph_rewriter: replaces each match of a pattern graph by a copy of another graph."""

import copy
from dataclasses import dataclass
from typing import NamedTuple

import torch
from _fusescope import partial_modules as _partial
from _fusescope.pipeline import calling, searches

from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .node import Node


class Match(NamedTuple):
    anchor: Node
    nodes_map: dict


@dataclass
class ReplacedPatterns:
    anchor: Node
    nodes_map: dict
    replacements: list


def replace_pattern(gm, pattern, replacement):
    """The places that were replaced, as Match objects."""
    return [Match(made.anchor, made.nodes_map) for made in _replace_pattern(gm, pattern, replacement)]


def replace_pattern_with_filters(
    gm,
    pattern,
    replacement=None,
    match_filters=None,
    ignore_literals=False,
    replacement_callback=None,
    node_name_match="",
):
    return _replace_pattern(
        gm, pattern, replacement, match_filters, ignore_literals, replacement_callback, node_name_match
    )


def _graph_of(source):
    """The graph of a GraphModule, a graph, or a function that is traced; None for another value."""
    if isinstance(source, GraphModule):
        return source.graph
    if isinstance(source, Graph):
        return source
    return symbolic_trace(source).graph if callable(source) else None


def _replace_pattern(
    gm,
    pattern,
    replacement=None,
    match_filters=None,
    ignore_literals=False,
    replacement_callback=None,
    node_name_match="",
):
    from .passes.utils.matcher_utils import SubgraphMatcher

    graph = gm.graph
    pattern_graph = _graph_of(pattern) or symbolic_trace(pattern).graph
    matcher = SubgraphMatcher(pattern_graph, ignore_literals=ignore_literals)
    matches = matcher.match(graph, node_name_match=node_name_match)
    search = matcher._search
    matches = [
        (at, m)
        for at, m in enumerate(matches)
        if searches.accepted(search, m, at, match_filters or (), graph, pattern_graph)
    ]
    common = _graph_of(replacement)
    if common is None and replacement_callback is None:
        raise AssertionError("Must provide either a replacement GraphModule or a replacement callback")
    searches.replacing(search, common, replacement)
    replaced, made = {}, []
    for at, match in matches:
        chosen = common if replacement_callback is None else replacement_callback(match, graph, pattern_graph)
        made.append(_replace(gm, match, chosen, pattern_graph, replaced))
        searches.replaced(search, at, made[-1].replacements, [replaced.get(node) for node in match.returning_nodes])
    gm.recompile()
    if isinstance(replacement, torch.nn.Module):
        _replace_attributes(gm, replacement)
    return calling.replaced(made)


def _replace(gm, match, replacement_graph, pattern_graph, replaced):
    """Replaces one match. `replaced` maps the returned nodes of earlier matches to what replaced them."""
    graph = gm.graph
    values = _inputs(match, replacement_graph, replaced)
    with graph.inserting_before(_insert_point(graph, match)):
        outputs = graph.graph_copy(replacement_graph, values)
    if isinstance(outputs, Node):
        outputs = (outputs,)
    added = [node for node in values.values() if node not in match.placeholder_nodes]
    if len(match.returning_nodes) != len(outputs):
        raise AssertionError(f"Returning nodes count mismatch: {len(match.returning_nodes)} vs {len(outputs)}")
    for old, new in zip(match.returning_nodes, outputs):
        old.replace_all_uses_with(new)
        replaced[old] = new
    for node in reversed(pattern_graph.nodes):
        if node.op not in ("placeholder", "output"):
            graph.erase_node(match.nodes_map[node])
    return ReplacedPatterns(match.anchors[0], match.nodes_map, added)


def _inputs(match, replacement_graph, replaced):
    """By placeholder of the replacement: what the pattern's placeholder of the same position matched."""
    holes = [node for node in replacement_graph.nodes if node.op == "placeholder"]
    if len(match.placeholder_nodes) != len(holes):
        raise AssertionError(f"Placeholder count mismatch: {len(match.placeholder_nodes)} vs {len(holes)}")
    values = {}
    for hole, found in zip(holes, match.placeholder_nodes):
        values[hole] = found
        if isinstance(found, Node) and replaced.get(found, found) != found:
            values[hole] = replaced[found]
            match.placeholder_nodes[match.placeholder_nodes.index(found)] = replaced[found]
            key = next(pn for pn, gn in match.nodes_map.items() if gn == found)
            match.nodes_map[key] = replaced[found]
    return values


def _insert_point(graph, match):
    """The first user of a returned node; without users, the node after the last returned one."""
    users = {user for node in match.returning_nodes for user in node.users}
    if len(users) == 1:
        return users.pop()
    found = next((node for node in graph.nodes if node in users), None) if users else None
    if found is None and not users:
        for node in reversed(graph.nodes):
            if node in match.returning_nodes:
                break
            found = node
        else:
            found = None
    if found is None:
        raise AssertionError("The insert point can't be None")
    return found


def _attribute(module, target):
    path, _, name = target.rpartition(".")
    try:
        return getattr(module.get_submodule(path), name, None)
    except AttributeError:
        return None


def _replace_attributes(gm, replacement):
    """Copies what the new nodes name from the module of the replacement, and drops the modules that no node calls."""
    gm.delete_all_unused_submodules()
    if isinstance(replacement, GraphModule):
        replacement.graph.lint()
    for node in gm.graph.nodes:
        if node.op not in ("call_module", "get_attr") or _attribute(gm, node.target) is not None:
            continue
        found = _attribute(replacement, node.target)
        if found is None:
            raise RuntimeError(
                'Attempted to create a "',
                node.op,
                '" node during subgraph rewriting '
                f"with target {node.target}, but the referenced attribute does not exist in the replacement GraphModule",
            )
        if isinstance(found, torch.nn.Module):
            gm.add_submodule(node.target, copy.deepcopy(found))
        else:
            setattr(gm, node.target, copy.deepcopy(found))
    gm.graph.lint()


__getattr__ = _partial.of_pytorch(__name__)
