"""torch.fx.Graph: the shown graph, graphs that were traced, and new ones. Each edit is a call to the engine.

Reason for length: one class of PyTorch.
"""

import copy
from collections.abc import Callable
from typing import Any

from .. import engine, frames
from . import checks
from .codegen import CodeGen, PythonCode, globals_of
from .node import Node
from .node_list import _node_list
from .objects import encode
from .table import Table
from .targets import fn_name
from .type_text import type_text

tracing = [False]  # the last item is true during a symbolic trace, whose nodes have the lines that made them
_owners = {}  # the number of a graph (None: the shown one) → its GraphModule


def settle(left: "Graph | None" = None) -> None:
    """After a pass: the shown graph becomes the graph that it returned or assigned (`gm.graph = other`)."""
    owner = _owners.get(None)
    left = left or (owner and owner._graph)
    if left is not None and left._table.number is not None:
        engine.edit(getattr(left._owner, "_graph_given", ()), "graph_become", [left._table.number])
        _owners.pop(None, None)


class _Root:
    """The sentinel before the first node and after the last one."""

    op, name, target = "root", "", ""
    users = {}

    def __init__(self, nodes=()):
        self._nodes = nodes

    @property
    def next(self) -> Any:
        return next(iter(self._nodes), self)

    @property
    def prev(self) -> Any:
        return next(reversed(self._nodes), self)


class _Insert:
    """The insert point changes at once, and back at the end of a `with`."""

    def __init__(self, graph, where):
        self._graph, self._before = graph, graph._insert
        graph._insert = where

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._graph._insert = self._before
        return False


class _Names:
    """graph._graph_namespace: unique names."""

    def __init__(self, graph):
        self._number = graph._table.number

    def create_name(self, candidate, obj=None):
        return engine.graph_name(self._number, candidate)


class _Lookup:
    """graph._find_nodes_lookup_table: whether a node is in the graph."""

    def __init__(self, graph):
        self._graph = graph

    def __contains__(self, node):
        return node.graph is self._graph and not node._erased

    def find_nodes(self, *, op, target=None):
        return self._graph.find_nodes(op=op, target=target)


class Graph:
    """One graph of the engine."""

    __module__ = "torch.fx.graph"
    _owner = None
    _new_owner = None  # makes a GraphModule, whose module imports this one

    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        self._begin(Table(engine.graph_new(), self))
        self._owner, self._tracer_cls, self._tracer_extras = owning_module, tracer_cls, tracer_extras
        self._new = True

    @classmethod
    def _of(cls, number=None):
        """The shown graph, or the traced one with this number."""
        self = object.__new__(cls)
        self._begin(Table(number, self))
        self._tracer_cls = self._tracer_extras = None
        self._new = False
        return self

    def _begin(self, table):
        self._table, self._insert, self._codegen = table, None, CodeGen()
        self._copied = set()  # nodes of other modules, which hold what these name
        self._root = _Root(self.nodes)

    @property
    def owning_module(self) -> Any:
        """The GraphModule of the graph; attributes set by user code persist during the run."""
        if self._owner is None and not self._new:
            key = self._table.number
            self._owner = _owners.get(key) or _owners.setdefault(key, self._new_owner())
            self._owner._graph = self
        return self._owner

    @owning_module.setter
    def owning_module(self, module: Any) -> None:
        self._owner = module

    @property
    def nodes(self) -> _node_list:
        return _node_list(self)

    @property
    def _len(self):
        return len(self.nodes)

    @property
    def _graph_namespace(self):
        return _Names(self)

    @property
    def _find_nodes_lookup_table(self):
        return _Lookup(self)

    def find_nodes(self, *, op: str, target: Any = None, sort: bool = True) -> list:
        wanted = None if target is None else fn_name(target)
        found = [n for n in self.nodes if n.op == op]
        return [n for n in found if wanted is None or fn_name(n.target) == wanted]

    def output_node(self) -> Node:
        last = next(iter(reversed(self.nodes)))
        if last.op != "output":
            raise AssertionError(f"Expected output node, got op={last.op}")
        return last

    def inserting_before(self, n: Node | None = None) -> "_Insert":
        return _Insert(self, ["before", None if n is None or n is self._root else self._own(n, "before")])

    def inserting_after(self, n: Node | None = None) -> "_Insert":
        if n is self._root:
            return self.inserting_before(None)
        return _Insert(self, ["after", None if n is None else self._own(n, "after")])

    def _own(self, n, side):
        if n.graph._table.number != self._table.number:
            raise AssertionError(f"Node to insert {side} is not in graph.")
        return n._key

    def create_node(
        self,
        op: str,
        target: Any,
        args: tuple | list | None = None,
        kwargs: dict | None = None,
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        if args and not isinstance(args, tuple):
            raise AssertionError(f"args must be a tuple, got {type(args)}")
        if kwargs and not isinstance(kwargs, dict):
            raise AssertionError(f"kwargs must be a dict, got {type(kwargs)}")
        made = engine.node_create(
            op,
            fn_name(target),
            [encode(a) for a in args or ()],
            [[k, encode(v)] for k, v in (kwargs or {}).items()],
            name,
            self._insert,
            self._table.number,
            None if type_expr is None else type_text(type_expr),
            frames.user_place() if tracing[-1] else None,
        )
        node = self._table.node(made)
        node._type = type_expr
        for hook in getattr(self._owner, "_create_node_hooks", ()):
            hook(node)
        return node

    def call_function(
        self,
        the_function: Any,
        args: tuple | None = None,
        kwargs: dict | None = None,
        type_expr: Any = None,
        name: str | None = None,
    ) -> Node:
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def call_module(
        self, module_name: str, args: tuple | None = None, kwargs: dict | None = None, type_expr: Any = None
    ) -> Node:
        if self._owner is not None:
            self._owner.get_submodule(module_name)  # raises where there is none
        return self.create_node("call_module", module_name, args, kwargs, None, type_expr)

    def call_method(
        self, method_name: str, args: tuple | None = None, kwargs: dict | None = None, type_expr: Any = None
    ) -> Node:
        return self.create_node("call_method", method_name, args, kwargs, None, type_expr)

    def placeholder(self, name: str, type_expr: Any = None, default_value: Any = ...) -> Node:
        import inspect

        none = default_value is ... or default_value is inspect.Signature.empty
        return self.create_node("placeholder", name, () if none else (default_value,), None, None, type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        if self._owner is not None:
            checks.warn_of_attribute(self._owner, qualified_name)
        return self.create_node("get_attr", qualified_name, None, None, None, type_expr)

    def output(self, result: Any, type_expr: Any = None) -> Node:
        return self.create_node("output", "output", (result,), None, None, type_expr)

    def node_copy(self, node: Node, arg_transform: Callable = lambda x: x) -> Node:
        from torch.fx.node import map_arg

        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        made = self.create_node(node.op, node.target, args, dict(kwargs), node.name, node.type)
        made.meta.update(node.meta)
        owner = node.graph._owner
        if node.graph is not self and owner is not None and not getattr(owner, "_of_text", False):
            self._copied.add(made)
        return made

    def graph_copy(self, g: "Graph", val_map: dict, return_output_node: bool = False) -> Any:
        """Copies the nodes of `g` before its output; the value that its output gives, in this graph's nodes."""
        from torch.fx.node import map_arg

        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                value = map_arg(node.args[0], lambda n: val_map[n])
                return (value, node) if return_output_node else value
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo=None):
        made = Graph(tracer_cls=self._tracer_cls)
        copied = made.graph_copy(self, memo if memo else {}, return_output_node=True)
        made._codegen = copy.deepcopy(self._codegen)
        if copied is not None:
            value, old = copied
            made.output(value, old.type).meta.update(old.meta)
        return made

    def erase_node(self, to_erase: Node) -> None:
        if not isinstance(to_erase, Node):
            to_erase.users  # torch.fx accesses it first, and raises here
        if to_erase.graph._table.number != self._table.number and not to_erase.users:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if not to_erase._erased:
            for hook in getattr(self._owner, "_erase_node_hooks", ()):
                hook(to_erase)
        engine.node_erase(to_erase._key)

    def lint(self) -> None:
        """Raises if a node is used before it is computed, belongs to another graph, or names an attribute that is missing."""
        checks.lint(self)

    def recompile(self) -> None:
        """A GraphModule method: vLLM-Ascend's compiler passes a GraphModule to its pass manager instead of the
        graph."""

    def eliminate_dead_code(self, is_impure_node: Callable | None = None) -> bool:
        if is_impure_node is None:
            return engine.graph_dead_code(self._table.number)
        self.lint()
        dead = 0
        for node in reversed(self.nodes):
            if not is_impure_node(node) and not node.users:
                self.erase_node(node)
                dead += 1
        return dead > 0

    def process_inputs(self, *args: Any) -> Any:
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out: Any) -> Any:
        return self._codegen.process_outputs(out)

    def set_codegen(self, codegen: CodeGen) -> None:
        self._codegen = codegen

    def on_generate_code(self, make_transformer: Callable) -> None:
        raise NotImplementedError("Fusescope's graphs do not run generated code")

    def python_code(self, root_module: str = "self", **options: Any) -> PythonCode:
        code = engine.graph_code(self._table.number)
        return PythonCode(code, globals_of(self.nodes, code), {})

    def print_tabular(self) -> None:
        print(checks.tabular(self))

    def _target_to_str(self, target):
        from .targets import snake

        name = target if isinstance(target, str) else target.__name__
        if isinstance(target, str) and name.startswith("__") and name.endswith("__"):
            name = name[2:-2]
        return snake(name)

    def __str__(self):
        return engine.graph_text(self._table.number)
