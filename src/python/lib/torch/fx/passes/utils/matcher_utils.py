"""torch.fx.passes.utils.matcher_utils: the matches of a pattern graph in a graph.

Literals compare by type and value, keyword arguments by position, targets with ==; placeholders match anything.
"""

import copy
import logging
import os
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from _fusescope import partial_modules as _partial
from _fusescope.pipeline import searches
from torch.fx.node import Node

from ._partitions import validate_partition

logger = logging.getLogger(__name__)
logger.setLevel(os.environ.get("PYTORCH_MATCHER_LOGLEVEL", "WARNING").upper())


@dataclass
class InternalMatch:
    anchors: list
    nodes_map: dict = field(default_factory=dict)  # of the pattern → of the graph
    placeholder_nodes: list = field(default_factory=list)
    returning_nodes: list = field(default_factory=list)
    name_node_map: dict = field(default_factory=dict)

    def __copy__(self):
        return InternalMatch(
            self.anchors, dict(self.nodes_map), list(self.placeholder_nodes), list(self.returning_nodes)
        )


class SubgraphMatcher:
    _search = None  # the engine's number of the last search

    def __init__(
        self,
        pattern,
        match_output=False,
        match_placeholder=False,
        remove_overlapping_matches=True,
        ignore_literals=False,
    ):
        self.pattern = pattern
        self.match_output, self.match_placeholder = match_output, match_placeholder
        self.remove_overlapping_matches, self.ignore_literals = remove_overlapping_matches, ignore_literals
        nodes = list(pattern.nodes)
        if not nodes:
            raise ValueError("SubgraphMatcher cannot be initialized with an empty pattern")
        for node in nodes:
            if node.op != "output" and not node.is_impure() and not node.users:
                raise AssertionError("SubgraphMatcher cannot be initialized with a pattern with dead code")
        self.pattern_placeholder_nodes = [node for node in nodes if node.op == "placeholder"]
        output = nodes[-1]
        self.pattern_returning_nodes = output.all_input_nodes
        # The sinks: what nothing but the output uses.
        sinks = [node for node in output.all_input_nodes if len(node.users) == 1]
        self.pattern_anchors = [output] if match_output else sinks

    def _match_attributes(self, pn, gn):
        for node, name in ((pn, "pn"), (gn, "gn")):
            if node.graph.owning_module is None:
                raise AssertionError(f"{name}.graph.owning_module must not be None")
        wanted = torch.fx.graph_module._get_attr(pn.graph.owning_module, pn.target)
        if getattr(gn.graph.owning_module, "_of_text", False):
            return isinstance(wanted, torch.Tensor)  # a text does not tell a parameter from a buffer
        found = torch.fx.graph_module._get_attr(gn.graph.owning_module, gn.target)
        if type(wanted) is not type(found):
            return False
        if isinstance(wanted, torch.Tensor):
            return True
        raise RuntimeError(f"Unsupported type {wanted} when matching attributes")

    def _nodes_are_equal(self, pn, gn, node_name_match=""):
        if not self.match_placeholder and pn.op == "placeholder":
            return True
        if node_name_match and node_name_match in gn.name:
            return True
        if pn.op != gn.op:
            return False
        if pn.op in ("placeholder", "output"):
            return True
        return self._match_attributes(pn, gn) if pn.op == "get_attr" else pn.target == gn.target

    def _is_contained(self, nodes_map):
        """True if only nodes of the match use what the pattern does not return."""
        matched = {gn: pn for pn, gn in nodes_map.items() if pn.op != "placeholder"}
        return all(
            pn in self.pattern_returning_nodes or all(user in matched for user in gn.users)
            for gn, pn in matched.items()
        )

    def _remove_overlapping_matches(self, matches):
        kept, taken = [], set()
        for match in matches:
            mine = [gn for pn, gn in match.nodes_map.items() if pn.op not in ("placeholder", "output")]
            if not any(gn in taken for gn in mine):
                kept.append(match)
                taken.update(mine)
        return kept

    def _match_literals(self, pn, gn, match):
        if isinstance(pn, Node) and isinstance(gn, Node):
            raise AssertionError("pn and gn cannot both be Node")
        if isinstance(pn, Node):
            if pn.op != "placeholder":
                return False
            if pn in match.nodes_map:
                return match.nodes_map[pn] == gn
            match.nodes_map[pn] = gn
            return True
        return not isinstance(gn, Node) and type(gn) is type(pn) and gn == pn

    def _match_nodes(self, pn, gn, match, node_name_match=""):
        """Depth first, in the order of the arguments, with a stack of its own: a pattern may be deep."""
        pending = [(pn, gn)]
        while pending:
            wanted, found = pending.pop()
            if isinstance(wanted, Node) and isinstance(found, Node):
                name, node_name_match = node_name_match, ""
                pairs = self._pair(wanted, found, match, name)
                if pairs is None:
                    return False
                pending.extend(reversed(pairs))
            elif isinstance(wanted, (list, tuple)) and isinstance(found, (list, tuple)):
                if len(wanted) != len(found):
                    return False
                pending.extend(reversed(list(zip(wanted, found))))
            elif not self._match_literals(wanted, found, match) and not self.ignore_literals:
                return False
        return True

    def _pair(self, pn, gn, match, node_name_match):
        """Maps one node to another; the arguments that must match then, or None."""
        if pn in match.nodes_map:
            return [] if match.nodes_map[pn] == gn else None
        if gn in match.nodes_map.values() or not self._nodes_are_equal(pn, gn, node_name_match):
            return None
        match.nodes_map[pn] = gn
        return [] if pn.op == "placeholder" else _arguments(pn, gn)

    def _candidates(self, graph, node_name_match):
        found = defaultdict(list)
        nodes = list(graph.nodes)
        for anchor in self.pattern_anchors:
            for node in nodes:
                if self._nodes_are_equal(anchor, node, node_name_match):
                    found[anchor].append(node)
        return list(found.items())

    def _combine(self, candidates, node_name_match):
        """All matches: each anchor at each of its candidates, with one map for all anchors."""
        matches = []

        def choose(at, match):
            if at == len(candidates):
                match.placeholder_nodes = [match.nodes_map[pn] for pn in self.pattern_placeholder_nodes]
                match.returning_nodes = [match.nodes_map[pn] for pn in self.pattern_returning_nodes]
                matches.append(match)
                return
            anchor, nodes = candidates[at]
            for node in nodes:
                trial = copy.copy(match)
                if self._match_nodes(anchor, node, trial, node_name_match):
                    choose(at + 1, trial)

        if candidates:
            choose(0, InternalMatch(anchors=self.pattern_anchors))
        return matches

    def match(self, graph, node_name_match=""):
        found = self._combine(self._candidates(graph, node_name_match), node_name_match)
        contained = [match for match in found if self._is_contained(match.nodes_map)]
        valid = [
            match
            for match in contained
            if validate_partition([gn for pn, gn in match.nodes_map.items() if pn.op not in ("placeholder", "output")])
        ]
        # Without the removal of overlaps PyTorch returns the matches from before the check for cycles.
        kept = self._remove_overlapping_matches(valid) if self.remove_overlapping_matches else contained
        dropped = [
            [m, "overlap" if any(m is v for v in valid) else "cycle"]
            for m in contained
            if not any(m is k for k in kept)
        ]
        self._search = searches.send(self, graph, [[m, None] for m in kept] + dropped)
        return kept


def _arguments(pn, gn):
    """Pairs of arguments, or None: by the operator's schema where the counts or keywords differ, else in order."""
    p_kwargs, g_kwargs = pn.kwargs, gn.kwargs
    p_args, g_args = pn.args, gn.args
    if len(p_args) == len(g_args) and list(p_kwargs) == list(g_kwargs):
        wanted, found = [*p_args, *p_kwargs.values()], [*g_args, *g_kwargs.values()]
    elif pn.op == "call_function" and isinstance(pn.target, torch._ops.OpOverload):
        schema = pn.target._schema.arguments
        wanted, found = _by_schema(schema, p_args, p_kwargs), _by_schema(schema, g_args, g_kwargs)
    else:
        return None
    return list(zip(wanted, found))


def _by_schema(schema, args, kwargs):
    def value(i, argument):
        if argument.name in kwargs:
            return kwargs[argument.name]
        return args[i] if not argument.kwarg_only and i < len(args) else argument.default_value

    return [value(i, argument) for i, argument in enumerate(schema)]


__getattr__ = _partial.of_pytorch(__name__)
