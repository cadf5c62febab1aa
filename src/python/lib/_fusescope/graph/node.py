"""FX nodes: of the shown graph, for extra_checks and handlers, and of graphs that fwd_only traced."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from .. import engine, wire
from .node_meta import Meta
from .objects import encode
from .targets import fn_name
from .type_text import type_of, type_text


class Node:
    """One node. Mutable properties are read from the engine on each access."""

    __module__ = "torch.fx.node"
    _fusescope_node = True

    def __init__(self, name, table):
        data = table.fetch(name)
        self._key = name  # the engine's key: its name, prefixed with the graph's number in a traced graph
        self._name, self.op = data["name"], data["op"]
        self._table, self._meta, self._data = table, None, data
        self.graph = table.graph
        self._type = type_of(data["type"])

    @property
    def name(self) -> str:
        return self._name

    @name.setter
    def name(self, value: Any) -> None:
        self._name = engine.node_rename(self._key, value, True)

    def _rename(self, candidate):
        if candidate != self._name:
            self._name = engine.node_rename(self._key, candidate, False)

    @property
    def type(self) -> Any:
        return self._type

    @type.setter
    def type(self, value: Any) -> None:
        self._type = value
        engine.node_type(self._key, None if value is None else type_text(value))

    @property
    def target(self) -> Any:
        return self._table.decode(self._data["target"])

    @target.setter
    def target(self, value: Any) -> None:
        engine.node_target(self._key, fn_name(value))
        self._data = self._table.fetch(self._key)

    @property
    def args(self) -> tuple:
        return tuple(self._table.decode(a) for a in self._table.fetch(self._key)["args"])

    @args.setter
    def args(self, value: tuple) -> None:
        self._set(value, self.kwargs)

    @property
    def kwargs(self) -> dict:
        read = ((k, self._table.decode(v)) for k, v in self._table.fetch(self._key)["kwargs"])
        return immutable_collections().immutable_dict(read)

    @kwargs.setter
    def kwargs(self, value: dict) -> None:
        self._set(self.args, value)

    def update_arg(self, idx: int, arg: Any) -> None:
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx: int, arg: Any) -> None:
        args = self.args
        if not 0 <= idx <= len(args):
            raise AssertionError(f"insert_args index must be between 0 and len(self.args), got {idx}")
        self.args = (*args[:idx], arg, *args[idx:])

    def update_kwarg(self, key: str, arg: Any) -> None:
        self.kwargs = {**self.kwargs, key: arg}

    def _set(self, args, kwargs):
        engine.node_args(self._key, [encode(a) for a in args], [[k, encode(v)] for k, v in kwargs.items()])

    def _update_args_kwargs(self, args, kwargs):
        self._set(args, kwargs)

    @property
    def _args(self):
        return self.args

    @property
    def _kwargs(self):
        return self.kwargs

    @property
    def _input_nodes(self):
        return dict.fromkeys(self.all_input_nodes)

    @property
    def users(self) -> dict:
        return {self._table.node(n): None for n in self._table.fetch(self._key)["users"]}

    @property
    def all_input_nodes(self) -> list:
        return [self._table.node(n) for n in self._table.fetch(self._key)["inputs"]]

    def normalized_arguments(
        self,
        root: Any,
        arg_types: tuple | None = None,
        kwarg_types: dict | None = None,
        normalize_to_only_use_kwargs: bool = False,
    ) -> Any:
        from torch.fx import operator_schemas

        if self.op == "call_function":
            return operator_schemas.normalize_function(
                self.target,
                self.args,
                self.kwargs,
                arg_types,
                kwarg_types,
                normalize_to_only_use_kwargs=normalize_to_only_use_kwargs,
            )
        if self.op == "call_module":
            return operator_schemas.normalize_module(
                root, self.target, self.args, self.kwargs, normalize_to_only_use_kwargs=normalize_to_only_use_kwargs
            )
        return None

    @property
    def next(self) -> Any:
        return self._beside("next")

    @property
    def prev(self) -> Any:
        return self._beside("prev")

    def _beside(self, which):
        name = self._table.fetch(self._key)[which]
        return self.graph._root if name is None else self._table.node(name)

    @property
    def _erased(self):
        return self._table.fetch(self._key)["erased"]

    @property
    def meta(self) -> Meta:
        if self._meta is None:
            start = {}
            if self._data["val"] is not None:
                val = wire.decode(self._data["val"])
                if hasattr(val, "untyped_storage"):
                    val._of_node = self._key
                start[self._data["valKey"]] = (
                    immutable_collections().immutable_list(val) if isinstance(val, list) else val
                )
                if hasattr(val, "untyped_storage") and self._data["valKey"] == "val":
                    start["tensor_meta"] = tensor_metadata(val)
            if self._data["custom"] is not None:
                start["custom"] = wire.decode(self._data["custom"])
            if self._data["additional"] is not None:
                start.update(wire.decode(self._data["additional"]))
            self._meta = Meta(self, start)
        return self._meta

    @meta.setter
    def meta(self, value: Any) -> None:
        self.meta.clear()
        self._meta.update(value)

    @property
    def stack_trace(self) -> str | None:
        return self.meta.get("stack_trace")

    @stack_trace.setter
    def stack_trace(self, trace: str | None) -> None:
        self.meta["stack_trace"] = trace

    def _pretty_print_target(self, target):
        return f"torch.ops.{fn_name(target)}" if hasattr(target, "_fusescope_op") else fn_name(target)

    def is_impure(self, impure_random: bool = True) -> bool:
        if self.op == "call_module":
            if self.graph.owning_module is None:
                raise AssertionError("self.graph.owning_module not set for purity check")
            return getattr(self.graph.owning_module.get_submodule(self.target), "_is_impure", False)
        return engine.node_impure(self._key)

    def replace_all_uses_with(
        self, replace_with: Any, delete_user_cb: Callable | None = None, *, propagate_meta: bool = False
    ) -> list:
        if propagate_meta:
            if len(replace_with.meta) != 0:
                raise AssertionError(
                    "Called node.replace_all_uses_with(replace_with, propagate_meta=True), but replace_with already has .meta keys"
                )
            replace_with.meta.update(self.meta)
        hooks = getattr(self.graph._owner, "_replace_hooks", ())
        if delete_user_cb is not None or hooks:
            changed = [u for u in self.users if delete_user_cb is None or delete_user_cb(u)]
            for user in changed:
                user.replace_input_with(self, replace_with)
            return changed
        return [self._table.node(n) for n in engine.node_replace(self._key, encode(replace_with))]

    def replace_input_with(self, old_input: "Node", new_input: Any) -> None:
        old_input.users  # torch.fx accesses it first, and raises here
        for hook in getattr(self.graph._owner, "_replace_hooks", ()):
            hook(old=old_input, new=new_input.name, user=self)
        self._replace_input_with(old_input, new_input)

    def _replace_input_with(self, old_input, new_input):
        engine.node_input(self._key, old_input._key, encode(new_input))

    def prepend(self, x: "Node") -> None:
        engine.node_move(x._key, self._key)

    def append(self, x: "Node") -> None:
        after = self._table.fetch(self._key)["next"]
        engine.node_move(x._key, after)

    def format_node(
        self, placeholder_names: Any = None, maybe_return_typename: Any = None, *, include_tensor_metadata: Any = False
    ) -> str | None:
        return engine.node_text(self._key)

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return self.name

    def __hash__(self):
        return hash(self._key)

    def __eq__(self, other):
        return isinstance(other, Node) and other._key == self._key

    def __lt__(self, other):
        return engine.node_before(self._key, other._key) if isinstance(other, Node) else NotImplemented

    def __gt__(self, other):
        return other < self if isinstance(other, Node) else NotImplemented

    def __le__(self, other):
        return self == other or Node.__lt__(self, other)

    def __ge__(self, other):
        return self == other or Node.__gt__(self, other)


def immutable_collections() -> ModuleType:
    from torch.fx import immutable_collections

    return immutable_collections


def tensor_metadata(tensor: Any) -> Any:
    from .tensor_metadata import _extract_tensor_metadata

    return _extract_tensor_metadata(tensor)
