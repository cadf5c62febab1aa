"""graph.nodes: a walk along the graph as it is at each step, whatever is edited on the way."""
from . import bridge

_AHEAD = 256  # nodes asked for at once; asked again after any call that may have edited the graph


class _node_list:
    __module__ = "torch.fx.graph"

    def __init__(self, graph, direction="_next"):
        self.graph, self.direction = graph, direction

    def __len__(self):
        return bridge.call("graph_size", self.graph._table.number)

    def __iter__(self):
        return self._walk(self.direction == "_prev")

    def __reversed__(self):
        return self._walk(self.direction == "_next")

    def _walk(self, backwards):
        table, key = self.graph._table, None
        while ahead := bridge.call("graph_ahead", table.number, key, backwards, _AHEAD):
            edits = bridge.edits
            for key in ahead:
                yield table.node(key)
                if bridge.edits != edits:
                    break
