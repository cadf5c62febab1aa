"""graph.nodes: iterates over the current graph, tolerating edits during iteration."""

from .. import bridge, engine

# Batch sizes of requested nodes with their data: small after a call that may have edited the graph, then larger.
_FEW, _MOST = 8, 512


class _node_list:
    __module__ = "torch.fx.graph"

    def __init__(self, graph, direction="_next"):
        self.graph, self.direction = graph, direction

    def __len__(self):
        return engine.graph_size(self.graph._table.number)

    def __iter__(self):
        return self._walk(self.direction == "_prev")

    def __reversed__(self):
        return self._walk(self.direction == "_next")

    def _walk(self, backwards):
        table, key, limit = self.graph._table, None, _FEW
        while ahead := engine.graph_ahead(table.number, key, backwards, limit):
            table.told(ahead)
            limit = min(4 * limit, _MOST)
            edits = bridge.edits
            for key, _ in ahead:
                yield table.node(key)
                if bridge.edits != edits:
                    limit = _FEW
                    break
