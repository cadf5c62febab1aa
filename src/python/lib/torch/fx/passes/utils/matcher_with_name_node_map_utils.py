"""SubgraphMatcher of a pattern that also returns its nodes by name."""

from torch.fx.graph import _PyTreeCodeGen, _PyTreeInfo
from torch.utils import _pytree as pytree

from .matcher_utils import InternalMatch, SubgraphMatcher  # noqa: F401


def _split_to_graph_and_name_node_map(gm):
    """Takes the dict of names off the outputs of the pattern."""
    names = {}
    for node in gm.graph.nodes:
        if node.op != "output":
            continue
        if gm._out_spec is None:
            raise AssertionError("gm._out_spec is None")
        output = pytree.tree_unflatten(list(node.args[0]), gm._out_spec)
        if not isinstance(output, tuple):
            raise AssertionError("Expecting the pattern graph to return a tuple")
        if len(output) < 2:
            raise AssertionError("Expecting the pattern graph to have at least two outputs")
        *out, names = output
        if not isinstance(names, dict):
            raise AssertionError("Expecting the input graph to have a dict output as the last element")
        leaves, spec = pytree.tree_flatten(out)
        node.args = (leaves,)
        info = gm._graph._codegen.pytree_info
        gm._graph._codegen = _PyTreeCodeGen(_PyTreeInfo(info.orig_args, info.in_spec, spec))
    gm.recompile()
    return gm, names


class SubgraphMatcherWithNameNodeMap(SubgraphMatcher):
    def __init__(
        self,
        pattern_gm,
        match_output=False,
        match_placeholder=False,
        remove_overlapping_matches=True,
        ignore_literals=False,
    ):
        pattern_gm, self.name_node_map = _split_to_graph_and_name_node_map(pattern_gm)
        super().__init__(pattern_gm.graph, match_output, match_placeholder, remove_overlapping_matches, ignore_literals)

    def match(self, graph, node_name_match=""):
        found = super().match(graph, node_name_match)
        for match in found:
            match.name_node_map.update({name: match.nodes_map[node] for name, node in self.name_node_map.items()})
        return found
