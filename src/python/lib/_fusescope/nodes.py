"""FX nodes of the shown graph, which extra_checks read and handlers edit; and of graphs that fwd_only traced."""
from . import bridge, wire
from .node_meta import Meta
from .node_list import _node_list
from .pattern_data import fn_name
from .targets import function


_owners = {}  # the number of a graph (None: the shown one) → its GraphModule


class Node:
    """One node. What may change is asked for each time."""

    __module__ = "torch.fx.node"
    _fusescope_node = True

    def __init__(self, name, table):
        data = table.fetch(name)
        self._key = name  # what the engine calls it: its name, with the graph's number before it in a traced graph
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
                start[self._data["valKey"]] = _immutable().immutable_list(val) if isinstance(val, list) else val
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
        old_input.users  # as torch.fx asks first, and so raises
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


class _Root:
    """Before the first node and after the last one."""

    op, name = "root", ""


class _Insert:
    def __init__(self, graph, where):
        self._graph, self._where = graph, where

    def __enter__(self):
        self._graph._points.append(self._where)
        return self

    def __exit__(self, *exc):
        self._graph._points.pop()
        return False


class Graph:
    """The shown graph, or one that fwd_only traced."""

    __module__ = "torch.fx.graph"
    _root = _Root()
    _owner = None

    def __init__(self, table=None):
        if table is None:
            raise NotImplementedError("Fusescope's torch.fx.Graph is the graph that is shown; a new one cannot be made here")
        self._table, self._points = table, []

    @property
    def owning_module(self):
        """The GraphModule of the graph: attributes that user code gives it stay for the run."""
        if self._owner is None:
            from torch.fx import GraphModule

            key = self._table.number
            self._owner = _owners.get(key) or _owners.setdefault(key, GraphModule())
            self._owner.graph = self
        return self._owner

    @owning_module.setter
    def owning_module(self, module):
        self._owner = module

    @property
    def nodes(self):
        return _node_list(self)

    def find_nodes(self, *, op, target=None, sort=True):
        wanted = None if target is None else fn_name(target)
        found = [n for n in self.nodes if n.op == op]
        return [n for n in found if wanted is None or fn_name(n.target) == wanted]

    def output_node(self):
        return next(n for n in reversed(self.nodes) if n.op == "output")

    def inserting_before(self, n=None):
        return _Insert(self, ["before", None if n is None else self._own(n)])

    def inserting_after(self, n=None):
        return _Insert(self, ["after", None if n is None else self._own(n)])

    def _own(self, n):
        if n.graph._table.number != self._table.number:
            raise AssertionError("Node to insert before is not in graph.")
        return n._key

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        made = bridge.call(
            "node_create", op, fn_name(target), [wire.encode(a) for a in args or ()],
            [[k, wire.encode(v)] for k, v in (kwargs or {}).items()], name, self._points[-1] if self._points else None,
            self._table.number,
        )
        return self._table.node(made)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        return self.create_node("call_function", the_function, args, kwargs, name)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_module", module_name, args, kwargs)

    def node_copy(self, node, arg_transform=lambda x: x):
        from torch.fx.node import map_arg

        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        made = self.create_node(node.op, node.target, args, kwargs, node.name)
        made.meta.update(node.meta)
        return made

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_method", method_name, args, kwargs)

    def erase_node(self, to_erase):
        if not isinstance(to_erase, Node):
            to_erase.users  # as torch.fx asks first, and so raises
        bridge.call("node_erase", to_erase._key)

    def lint(self):
        """Raises where a node is used before it is computed; the rest of torch.fx's checks cannot fail here."""
        seen = set()
        for node in self.nodes:
            for arg in node.all_input_nodes:
                if arg not in seen:
                    raise RuntimeError(f"Argument '{arg}' of Node '{node}' was used before it has been defined! Please check that Nodes in the graph are topologically ordered\n{self}")
            seen.add(node)

    def recompile(self):
        """A GraphModule's, which vLLM-Ascend's compiler gives its pass manager in the graph's place."""

    def eliminate_dead_code(self, is_impure_node=None):
        return bridge.call("graph_dead_code", self._table.number)

    def placeholder(self, name, type_expr=None, default_value=None):
        return self.create_node("placeholder", name)

    def get_attr(self, qualified_name, type_expr=None):
        return self.create_node("get_attr", qualified_name)

    def __str__(self):
        return bridge.call("graph_text", self._table.number)

    __repr__ = __str__


class Table:
    """The nodes of one call from the engine; of a traced graph, by its number."""

    def __init__(self, number=None):
        self._nodes = {}
        self._told, self._told_at = {}, bridge.edits  # what the engine said of nodes, since the last edit
        self.number = number
        self.graph = Graph(self)

    def forget(self):
        """The graph was changed by others: a name may be another node's now."""
        self._nodes.clear()

    def told(self, described):
        """Keeps what the engine says of these nodes until the next edit."""
        if self._told_at != bridge.edits:
            self._told, self._told_at = {}, bridge.edits
        self._told.update(described)

    def fetch(self, name):
        self.told(())
        if name not in self._told:
            self._told[name] = bridge.call("node", name)
        return self._told[name]

    def node(self, name):
        if name not in self._nodes:
            self._nodes[name] = Node(name, self)
        return self._nodes[name]

    def decode(self, data):
        if isinstance(data, list):
            return _immutable().immutable_list(self.decode(v) for v in data)
        if isinstance(data, dict):
            if "node" in data:
                return self.node(data["node"])
            if "fn" in data:
                return function(data["fn"])
            if "t" in data:
                return tuple(self.decode(v) for v in data["t"])
            if "d" in data:
                return _immutable().immutable_dict((k, self.decode(v)) for k, v in data["d"])
            if "sl" in data:
                return slice(*(self.decode(v) for v in data["sl"]))
        return wire.decode(data)


def _immutable():
    from torch.fx import immutable_collections

    return immutable_collections
