"""torch.fx.Graph of the shown graph, and of graphs that fwd_only traced. Each edit is a call to the engine."""
from .. import bridge, wire
from .node import Node
from .node_list import _node_list
from .targets import fn_name

_owners = {}  # the number of a graph (None: the shown one) → its GraphModule


class _Root:
    """The sentinel before the first node and after the last one."""

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
        """The GraphModule of the graph; attributes set by user code persist during the run."""
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
            to_erase.users  # torch.fx accesses it first, and raises here
        bridge.call("node_erase", to_erase._key)

    def lint(self):
        """Raises if a node is used before it is computed; torch.fx's other checks cannot fail here."""
        seen = set()
        for node in self.nodes:
            for arg in node.all_input_nodes:
                if arg not in seen:
                    raise RuntimeError(f"Argument '{arg}' of Node '{node}' was used before it has been defined! Please check that Nodes in the graph are topologically ordered\n{self}")
            seen.add(node)

    def recompile(self):
        """A GraphModule method: vLLM-Ascend's compiler passes a GraphModule to its pass manager instead of the
        graph."""

    def eliminate_dead_code(self, is_impure_node=None):
        return bridge.call("graph_dead_code", self._table.number)

    def placeholder(self, name, type_expr=None, default_value=None):
        return self.create_node("placeholder", name)

    def get_attr(self, qualified_name, type_expr=None):
        return self.create_node("get_attr", qualified_name)

    def __str__(self):
        return bridge.call("graph_text", self._table.number)

    __repr__ = __str__
