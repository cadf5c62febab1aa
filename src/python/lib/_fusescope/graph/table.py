"""The nodes of one graph by name, with the data that the engine sent for each."""

from typing import Any

from .. import bridge, engine, wire
from . import objects
from .node import Node, immutable_collections
from .targets import function


class Table:
    """The nodes of one call from the engine, or of a traced graph, given by its number."""

    def __init__(self, number, graph):
        self._nodes = {}
        self._told, self._told_at = {}, bridge.edits  # node data from the engine since the last edit
        self.number = number
        self.graph = graph
        self.function = None  # the one that symbolic_trace traced

    def forget(self) -> None:
        """Drops all nodes after an external edit: a name may belong to another node."""
        self._nodes.clear()

    def told(self, described: list[list] | tuple) -> None:
        """Stores the engine's data of these nodes until the next edit."""
        if self._told_at != bridge.edits:
            self._told, self._told_at = {}, bridge.edits
        self._told.update(described)

    def fetch(self, name: str) -> dict:
        self.told(())
        if name not in self._told:
            self._told[name] = engine.node(name)
        return self._told[name]

    def node(self, name: str) -> Node:
        if name not in self._nodes:
            self._nodes[name] = Node(name, self)
        return self._nodes[name]

    def decode(self, data: Any) -> Any:
        if isinstance(data, list):
            return immutable_collections().immutable_list(self.decode(v) for v in data)
        if isinstance(data, dict):
            if "node" in data:
                return self.node(data["node"])
            if "py" in data:
                return objects.get(data["py"])
            if "fn" in data:
                return function(data["fn"])
            if "t" in data:
                return tuple(self.decode(v) for v in data["t"])
            if "d" in data:
                return immutable_collections().immutable_dict((k, self.decode(v)) for k, v in data["d"])
            if "sl" in data:
                return slice(*(self.decode(v) for v in data["sl"]))
        return wire.decode(data)
