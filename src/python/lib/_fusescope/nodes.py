"""FX nodes of the shown graph, as extra_check reads them."""
from . import wire


class Graph:
    """The shown graph; a check may look at nodes, not edit them."""


_graph = Graph()


class Node:
    def __init__(self, data, table):
        self.name, self.op = data["name"], data["op"]
        self._data, self._table = data, table
        self.graph = _graph

    @property
    def target(self):
        return self._decode(self._data["target"]) if self.op == "call_function" else self._data["target"]

    @property
    def args(self):
        return tuple(self._decode(a) for a in self._data["args"])

    @property
    def kwargs(self):
        return {k: self._decode(v) for k, v in self._data["kwargs"]}

    @property
    def users(self):
        return {self._table.node(n): None for n in self._data["users"]}

    @property
    def all_input_nodes(self):
        return [self._table.node(n) for n in self._data["inputs"]]

    @property
    def meta(self):
        meta = dict(self._data.get("custom") or {})
        val = self._data["val"]
        if val is not None:
            meta["val"] = wire.decode(val)
        return meta

    def _decode(self, data):
        return self._table.decode(data)

    def __repr__(self):
        return self.name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, Node) and other.name == self.name


class Table:
    """Nodes of one match, fetched by name when asked for."""

    def __init__(self, fetch):
        self._fetch, self._nodes = fetch, {}

    def node(self, name):
        if name not in self._nodes:
            self._nodes[name] = Node(self._fetch(name), self)
        return self._nodes[name]

    def decode(self, data):
        if isinstance(data, list):
            return [self.decode(v) for v in data]
        if isinstance(data, dict):
            if "node" in data:
                return self.node(data["node"])
            if "fn" in data:
                return _function(data["fn"])
            if "t" in data:
                return tuple(self.decode(v) for v in data["t"])
            if "d" in data:
                return {k: self.decode(v) for k, v in data["d"]}
        return wire.decode(data)


def _function(name):
    import importlib

    if not name.startswith(("operator.", "_operator.", "torch.", "math.", "builtins.")):
        from torch._ops import overload_named

        return overload_named(name)
    module, _, attr = name.rpartition(".")
    return getattr(importlib.import_module(module), attr)
