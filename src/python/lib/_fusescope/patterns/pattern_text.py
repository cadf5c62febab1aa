"""Converts patterns to Python text and traced graphs to patterns, for user code that calls these functions."""

import builtins
import itertools
import keyword
import operator
import re
from typing import Any

from torch.utils import _pytree as pytree

from ..torch_version import assertion
from .expressions import (
    CallFunction,
    ExclusiveKeywordArg,
    Ignored,
    KeywordArg,
    MultiOutputPattern,
    PatternExpr,
    _TargetArgsExpr,
)


class _Names:
    """Unique names, by the rules of torch.fx for node names."""

    def __init__(self):
        self.used, self.count = set(), {}

    def create_name(self, candidate, obj=None):
        candidate = re.sub(r"[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        base, digits = re.match(r"(.*?)(?:_(\d+))?$", candidate).groups()
        number = self.count.get(base, 0) if digits is None or candidate in self.used else int(digits)
        taken = (
            keyword.iskeyword(candidate)
            or hasattr(builtins, candidate)
            or candidate in ("torch", "nan", "inf", "device")
        )
        while candidate in self.used or taken:
            number, taken = number + 1, False
            candidate = f"{base}_{number}"
        self.used.add(candidate)
        self.count[base] = number
        return candidate


class PatternPrettyPrinter:
    """Prints a pattern as the Python that constructs it, one line per call."""

    def __init__(self):
        self.namespace, self.memoized_objs_names, self.memoized_objs_pp = _Names(), {}, {}

    @staticmethod
    def run(obj: Any, output_name: str = "output") -> str:
        pp = PatternPrettyPrinter()
        if not hasattr(obj, "pretty_print"):
            raise assertion("obj has no pretty_print method")
        last = obj.pretty_print(pp=pp)
        lines = [f"{name} = {pp.memoized_objs_pp[key]}" for key, name in pp.memoized_objs_names.items()]
        return "\n".join([*lines, f"{output_name} = {last}"])

    def pretty_print(self, obj: Any) -> str:
        if isinstance(obj, _TargetArgsExpr):
            return self.memoized_objs_names.get(obj) or self.memoize(obj)
        return obj.pretty_print(self) if isinstance(obj, PatternExpr) and hasattr(obj, "pretty_print") else repr(obj)

    def memoize(self, obj: Any) -> str:
        text = obj.pretty_print(self)
        name = obj.fns_repr()
        for prefix in ("aten.", "torch.", "prims."):
            name = name.replace(prefix, "")
        self.memoized_objs_names[obj] = made = self.namespace.create_name(name)
        self.memoized_objs_pp[obj] = text
        return made


def fx_to_pattern(
    gm: Any,
    ignore_types: tuple = (),
    argnames: list[str] | tuple = (),
    scalar_workaround: dict | None = None,
    exclusive_arg_names: tuple = (),
) -> Any:
    """The pattern of a graph that fwd_only traced."""
    from torch.fx import GraphModule

    if not isinstance(gm, GraphModule):
        raise assertion(f"expected GraphModule, got {type(gm)}")
    by_value = {v: k for k, v in (scalar_workaround or {}).items()}
    if len(by_value) != len(scalar_workaround or {}):
        raise assertion("scalar_workaround has duplicate values")
    made, number = {}, itertools.count()

    def leaf(x, ignored):
        if isinstance(x, (float, int)) and x in by_value:
            return KeywordArg(by_value[x])
        return Ignored() if type(x) in ignored else x

    def argument(x, ignored):
        x = pytree.tree_map(lambda v: made[v] if v in made else leaf(v, ignored), x)
        if list in ignore_types and isinstance(x, list) and x and all(isinstance(y, Ignored) for y in x):
            return Ignored()
        return x

    def placeholder(target):
        n = next(number)
        if n < len(argnames):
            target = argnames[n]
        elif not argnames:
            target = re.sub(r"_\d+$", "", target)
        elif not target.startswith("tangent"):
            raise assertion(f"expected target to start with 'tangent', got {target}")
        return ExclusiveKeywordArg(target) if target in exclusive_arg_names else KeywordArg(target)

    for node in gm.graph.nodes:
        if node.op == "output":
            return _output(node, made)
        if node.op == "placeholder":
            made[node] = placeholder(node.target)
        elif node.op == "call_function":
            ignored = (
                tuple(t for t in ignore_types if t is not int) if node.target is operator.getitem else ignore_types
            )
            args = [argument(a, ignored) for a in node.args]
            made[node] = CallFunction(node.target, *args, **{k: argument(a, ignored) for k, a in node.kwargs.items()})
        else:
            raise NotImplementedError(node.op)
        made[node].users = len(node.users)


def _output(node, made):
    (value,) = node.args
    if not isinstance(value, (list, tuple, dict)):
        made[value].users = len(node.users)
        return made[value]
    return MultiOutputPattern([None if v is None else made[v] for v in pytree.tree_leaves(value)])
