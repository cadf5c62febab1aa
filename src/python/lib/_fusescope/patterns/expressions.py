"""The PatternExpr classes for user code."""

import itertools
import operator
import sys
from collections.abc import Iterator
from typing import Any

from .. import frames
from ..graph.targets import fn_name
from ..torch_version import assertion
from . import match_context

_ids = itertools.count()


class _Multiple:
    """Matches any number of users."""

    def __repr__(self):
        return "MULTIPLE"

    def __deepcopy__(self, memo):
        return self


MULTIPLE = _Multiple()


class PatternExpr:
    """A pattern as written by its author; the engine does the matching."""

    def __new__(cls, *args, **kwargs):
        self = object.__new__(cls)
        self._place = frames.user_place()
        self._id = next(_ids)  # one object is one pattern, even if two registrations share it
        match_context.patterns[self._id] = self
        return self

    def _match(self, node, ctx):
        return ctx._builtin(self, node)

    def match(self, node: Any) -> Any:
        """Tries the pattern at a node of an accessible graph. Returns a Match or a FailedMatch."""
        try:
            return match_context.MatchContext(self._outputs(), graph=node.graph).match(self, node)
        except match_context.FailedMatch as e:
            return e

    def _outputs(self):
        return [self]

    def find_anchor_nodes(self, ctx: Any, searched: Any) -> Iterator:
        bound = ctx.pattern_to_node
        if self in bound:
            yield bound[self]

    def pattern_eq(self, other: Any) -> bool:
        return isinstance(other, type(self)) and str(self) == str(other)

    def has_multiple_users(self) -> bool:
        return False

    def __repr__(self):
        return f"{type(self).__name__}()"


class Arg(PatternExpr):
    pass


class Ignored(PatternExpr):
    def __repr__(self):
        return "*"

    def pretty_print(self, pp: Any) -> str:
        return "Ignored()"


class KeywordArg(PatternExpr):
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"


def extract_target(node: Any) -> Any:
    return type(node.graph.owning_module.get_submodule(node.target)) if node.op == "call_module" else node.target


class ExclusiveKeywordArg(PatternExpr):
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"


class _TargetExpr(PatternExpr):
    def __init__(self, fns, users=1):
        self.fns = [fns] if callable(fns) or isinstance(fns, str) else list(fns)
        self.args, self.kwargs, self.users = (), {}, users

    def has_multiple_users(self):
        return self.users is MULTIPLE or self.users > 1

    def _match_fns(self, node):
        from torch.fx import Node

        if not isinstance(node, Node) or node.op != self.op:
            return False
        target = extract_target(node)
        return any(target == fn or getattr(target, "_overloadpacket", None) is fn for fn in self.fns)

    def fns_repr(self):
        first = self.fns[0]
        name = first if isinstance(first, str) else getattr(first, "__name__", str(first))
        if name == "function":
            name = fn_name(first).rpartition(".")[2]
        if len(self.fns) > 1 or hasattr(first, "overloads"):  # a packet includes its overloads
            return f"[{name}, ...]"
        for module in (sys.modules["torch"], operator):
            if vars(module).get(name) is first:
                return f"{module.__name__.removeprefix('_')}.{name}"
        return str(first) if hasattr(first, "_overloadpacket") else name

    def _users_text(self):
        return [] if self.users == 1 else [f"_users={'MULTIPLE' if self.users is MULTIPLE else self.users}"]

    def __repr__(self):
        users = ", MULTIPLE" if self.users is MULTIPLE else "" if self.users == 1 else f", {self.users})"
        return f"{type(self).__name__}({self.fns_repr()}{users})"


class _TargetArgsExpr(_TargetExpr):
    def __init__(self, fns, *args, _users=1, **kwargs):
        super().__init__(fns, _users)
        self.args, self.kwargs = tuple(args), dict(kwargs)

    @property
    def flat_args_kwargs(self):
        from torch.utils import _pytree as pytree

        values = [*self.args, *self.kwargs.values()]
        if any(isinstance(v, (list, tuple, dict)) for v in values):
            return pytree.tree_flatten([self.args, self.kwargs])
        return values, (len(self.args), *self.kwargs)

    def find_anchor_nodes(self, ctx, searched):
        from torch.fx import Node

        bound = ctx.pattern_to_node
        if self in bound:
            yield bound[self]
            return
        for pattern in self.flat_args_kwargs[0]:
            for other in pattern.find_anchor_nodes(ctx, searched) if isinstance(pattern, PatternExpr) else ():
                for node in other.users if isinstance(other, Node) else ():
                    if node not in searched and self._match_fns(node):
                        yield node
                        searched.add(node)

    def __repr__(self):
        return self.text(repr, str)

    def pretty_print(self, pp):
        return self.text(pp.pretty_print, pp.pretty_print)

    def text(self, arg, kwarg):
        parts = [self.fns_repr(), *map(arg, self.args), *(f"{k}={kwarg(v)}" for k, v in self.kwargs.items())]
        return f"{type(self).__name__}({', '.join(parts + self._users_text())})"


class CallFunction(_TargetArgsExpr):
    op = "call_function"


class CallMethod(_TargetArgsExpr):
    op = "call_method"


class CallModule(_TargetArgsExpr):
    op = "call_module"


class _TargetExprVarArgs(_TargetExpr):
    pass


class CallFunctionVarArgs(_TargetExprVarArgs):
    op = "call_function"


class CallMethodVarArgs(_TargetExprVarArgs):
    op = "call_method"


class CallModuleVarArgs(_TargetExprVarArgs):
    op = "call_module"


class GetAttr(PatternExpr):
    """A constant of the traced module."""

    def __init__(self, value, users=1):
        self.value, self.users = value, users

    def __repr__(self):
        users = "" if self.users == 1 else f", {'MULTIPLE' if self.users is MULTIPLE else self.users}"
        return f"GetAttr({self.value!r}{users})"


class ListOf(PatternExpr):
    def __init__(self, pattern, partial=False):
        if not isinstance(pattern, PatternExpr):
            raise assertion(f"expected PatternExpr, got {type(pattern)}")
        self.pattern, self.partial = pattern, partial

    def __repr__(self):
        return f"ListOf({self.pattern})"


class MultiOutputPattern(PatternExpr):
    def __init__(self, outputs):
        if not isinstance(outputs[0], _TargetExpr):
            raise assertion(f"expected _TargetExpr, got {type(outputs[0])}")
        if not all(x is None or isinstance(x, PatternExpr) for x in outputs):
            raise AssertionError(outputs)
        self.outputs, self.op, self.fns = list(outputs), outputs[0].op, outputs[0].fns

    def _outputs(self):
        return self.outputs

    def __repr__(self):
        return f"MultiOutputPattern({self.outputs})"

    def pretty_print(self, pp: Any) -> str:
        outputs = ",\n  ".join(pp.pretty_print(x) for x in self.outputs)
        return f"MultiOutputPattern([{outputs}\n])"


class RepeatedExpr(PatternExpr):
    def __init__(self, inner_pattern):
        self.inner_pattern, self.op = inner_pattern, inner_pattern.op

    @property
    def fns(self) -> list:
        return self.inner_pattern.fns
