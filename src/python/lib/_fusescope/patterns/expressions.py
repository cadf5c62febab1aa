"""The PatternExpr classes for user code."""
import itertools
import operator
import sys

from .. import frames
from ..graph.targets import fn_name
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

    def match(self, node):
        """Tries the pattern at a node of an accessible graph. Returns a Match or a FailedMatch."""
        try:
            return match_context.MatchContext(self._outputs(), graph=node.graph).match(self, node)
        except match_context.FailedMatch as e:
            return e

    def _outputs(self):
        return [self]

    def find_anchor_nodes(self, ctx, searched):
        bound = ctx.pattern_to_node
        if self in bound:
            yield bound[self]

    def pattern_eq(self, other):
        return isinstance(other, type(self)) and str(self) == str(other)

    def has_multiple_users(self):
        return False

    def __repr__(self):
        return f"{type(self).__name__}()"


class Arg(PatternExpr):
    pass


class Ignored(PatternExpr):
    def __repr__(self):
        return "*"

    def pretty_print(self, pp):
        return "Ignored()"


class KeywordArg(PatternExpr):
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"


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
            raise AssertionError(f"expected PatternExpr, got {type(pattern)}")
        self.pattern, self.partial = pattern, partial

    def __repr__(self):
        return f"ListOf({self.pattern})"


class MultiOutputPattern(PatternExpr):
    def __init__(self, outputs):
        if not isinstance(outputs[0], _TargetExpr):
            raise AssertionError(f"expected _TargetExpr, got {type(outputs[0])}")
        if not all(x is None or isinstance(x, PatternExpr) for x in outputs):
            raise AssertionError(outputs)
        self.outputs, self.op, self.fns = list(outputs), outputs[0].op, outputs[0].fns

    def _outputs(self):
        return self.outputs

    def __repr__(self):
        return f"MultiOutputPattern({self.outputs})"

    def pretty_print(self, pp):
        outputs = ",\n  ".join(pp.pretty_print(x) for x in self.outputs)
        return f"MultiOutputPattern([{outputs}\n])"


class RepeatedExpr(PatternExpr):
    def __init__(self, inner_pattern):
        self.inner_pattern, self.op = inner_pattern, inner_pattern.op

    @property
    def fns(self):
        return self.inner_pattern.fns
