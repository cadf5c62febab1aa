"""FX nodes: of the shown graph, for extra_checks and handlers, and of graphs that fwd_only traced."""
from .. import bridge, wire
from .node_meta import Meta
from .targets import fn_name


class Node:
    """One node. Mutable properties are read from the engine on each access."""

    __module__ = "torch.fx.node"
    _fusescope_node = True

    def __init__(self, name, table):
        data = table.fetch(name)
        self._key = name  # the engine's key: its name, prefixed with the graph's number in a traced graph
        self.name, self.op = data["name"], data["op"]
        self._table, self._meta, self._data = table, None, data
        self.graph = table.graph
        self.type = None

    @property
    def target(self):
        return self._table.decode(self._data["target"])

    @target.setter
    def target(self, value):
        bridge.call("node_target", self._key, fn_name(value))
        self._data = self._table.fetch(self._key)

    @property
    def args(self):
        return tuple(self._table.decode(a) for a in self._table.fetch(self._key)["args"])

    @args.setter
    def args(self, value):
        self._set(value, self.kwargs)

    @property
    def kwargs(self):
        return {k: self._table.decode(v) for k, v in self._table.fetch(self._key)["kwargs"]}

    @kwargs.setter
    def kwargs(self, value):
        self._set(self.args, value)

    def update_arg(self, idx, arg):
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx, arg):
        args = self.args
        if not 0 <= idx <= len(args):
            raise AssertionError(f"insert_args index must be between 0 and len(self.args), got {idx}")
        self.args = (*args[:idx], arg, *args[idx:])

    def update_kwarg(self, key, arg):
        self.kwargs = {**self.kwargs, key: arg}

    def _set(self, args, kwargs):
        bridge.call("node_args", self._key, [wire.encode(a) for a in args], [[k, wire.encode(v)] for k, v in kwargs.items()])

    @property
    def users(self):
        return {self._table.node(n): None for n in self._table.fetch(self._key)["users"]}

    @property
    def all_input_nodes(self):
        return [self._table.node(n) for n in self._table.fetch(self._key)["inputs"]]

    @property
    def next(self):
        return self._beside("next")

    @property
    def prev(self):
        return self._beside("prev")

    def _beside(self, which):
        name = self._table.fetch(self._key)[which]
        return self.graph._root if name is None else self._table.node(name)

    @property
    def _erased(self):
        return self._table.fetch(self._key)["erased"]

    @property
    def meta(self):
        if self._meta is None:
            start = {}
            if self._data["val"] is not None:
                val = wire.decode(self._data["val"])
                if hasattr(val, "untyped_storage"):
                    val._of_node = self._key
                start[self._data["valKey"]] = immutable_collections().immutable_list(val) if isinstance(val, list) else val
            if self._data["custom"] is not None:
                start["custom"] = wire.decode(self._data["custom"])
            if self._data["additional"] is not None:
                start.update(wire.decode(self._data["additional"]))
            self._meta = Meta(self, start)
        return self._meta

    @meta.setter
    def meta(self, value):
        self.meta.clear()
        self._meta.update(value)

    @property
    def stack_trace(self):
        return self.meta.get("stack_trace")

    def is_impure(self, impure_random=True):
        return bridge.call("node_impure", self._key)

    def replace_all_uses_with(self, replace_with, delete_user_cb=None, *, propagate_meta=False):
        if propagate_meta:
            if len(replace_with.meta) != 0:
                raise AssertionError("Called node.replace_all_uses_with(replace_with, propagate_meta=True), but replace_with already has .meta keys")
            replace_with.meta.update(self.meta)
        if delete_user_cb is not None:
            changed = [u for u in self.users if delete_user_cb(u)]
            for user in changed:
                user.replace_input_with(self, replace_with)
            return changed
        return [self._table.node(n) for n in bridge.call("node_replace", self._key, wire.encode(replace_with))]

    def replace_input_with(self, old_input, new_input):
        old_input.users  # torch.fx accesses it first, and raises here
        bridge.call("node_input", self._key, old_input._key, wire.encode(new_input))

    def prepend(self, x):
        bridge.call("node_move", x._key, self._key)

    def append(self, x):
        after = self._table.fetch(self._key)["next"]
        bridge.call("node_move", x._key, after)

    def format_node(self, *args, **kwargs):
        return f"%{self.name} : [num_users={len(self.users)}] = {self.op}[target={self.target}](args = {self.args}, kwargs = {self.kwargs})"

    def __repr__(self):
        return self.name

    def __hash__(self):
        return hash(self._key)

    def __eq__(self, other):
        return isinstance(other, Node) and other._key == self._key

    def __lt__(self, other):
        return bridge.call("node_before", self._key, other._key) if isinstance(other, Node) else NotImplemented

    def __gt__(self, other):
        return other < self if isinstance(other, Node) else NotImplemented

    def __le__(self, other):
        return self == other or Node.__lt__(self, other)

    def __ge__(self, other):
        return self == other or Node.__gt__(self, other)


def immutable_collections():
    from torch.fx import immutable_collections

    return immutable_collections
