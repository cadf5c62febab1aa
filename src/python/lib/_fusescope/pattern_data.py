"""PatternExpr classes as people write them, and the data the matcher reads (src/matcher/types.ts PatternData)."""
import itertools
import operator
import sys

from . import callables, match_context, wire

_ids = itertools.count()


class _Multiple:
    """Any number of users."""

    def __repr__(self):
        return "MULTIPLE"

    def __deepcopy__(self, memo):
        return self


MULTIPLE = _Multiple()


class PatternExpr:
    """Matching is done by the engine: here a pattern is what its author wrote."""

    def __new__(cls, *args, **kwargs):
        self = object.__new__(cls)
        self._id = next(_ids)  # one object is one pattern, also where two registrations share it
        match_context.patterns[self._id] = self
        return self

    def _match(self, node, ctx):
        return ctx._builtin(self, node)

    def match(self, node):
        """An attempt at a node of a graph that is at hand: a Match, or a FailedMatch."""
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
        if len(self.fns) > 1 or hasattr(first, "overloads"):  # a packet comes with its overloads
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


_KNOWN = {
    kind.__name__: kind
    for kind in (
        Arg, GetAttr, Ignored, KeywordArg, ExclusiveKeywordArg, CallFunction, CallMethod, CallModule, CallFunctionVarArgs,
        CallMethodVarArgs, CallModuleVarArgs, ListOf, MultiOutputPattern, RepeatedExpr,
    )
}


def to_data(pattern):
    return _expr(pattern, set())


def _expr(p, seen):
    if p is None:
        return None
    kind = next((k.__name__ for k in type(p).__mro__ if k in _KNOWN.values()), None)
    if kind is None and not isinstance(p, PatternExpr):
        raise TypeError(f"expected a pattern such as CallFunction(…) or KeywordArg(…), got {type(p).__name__}")
    if p._id in seen:
        return {"expr": "ref", "id": p._id}
    seen.add(p._id)
    data = {"expr": kind or "User", "id": p._id, **_own(p)}
    if kind is None:
        fns = getattr(p, "fns", None)
        data["op"], data["fns"] = getattr(p, "op", None), None if fns is None else [fn_name(f) for f in fns]
    if isinstance(p, (KeywordArg, ExclusiveKeywordArg)):
        data["name"] = p.name
    elif isinstance(p, GetAttr):
        data["value"], data["users"] = wire.encode(p.value), "MULTIPLE" if p.users is MULTIPLE else p.users
        if getattr(p.value, "_value", None) is not None:
            data["constant"] = wire.encode(p.value._value)
    elif isinstance(p, _TargetExpr):
        data["fns"] = [fn_name(f) for f in p.fns]
        data["users"] = "MULTIPLE" if p.users is MULTIPLE else p.users
        data["args"] = [_arg(a, seen) for a in p.args]
        data["kwargs"] = [[k, _arg(v, seen)] for k, v in p.kwargs.items()]
    elif isinstance(p, MultiOutputPattern):
        data["outputs"] = [_expr(o, seen) for o in p.outputs]
    elif isinstance(p, ListOf):
        data["pattern"], data["partial"] = _expr(p.pattern, seen), bool(p.partial)
    elif isinstance(p, RepeatedExpr):
        data["pattern"] = _expr(p.inner_pattern, seen)
    return data


def _own(p):
    """What a class of the user's has in place of ours."""
    cls = type(p)
    if cls in _KNOWN.values():
        return {}
    data = {"className": cls.__name__}
    if _definer(cls, "_match").__module__ != __name__:
        if not hasattr(p, "_match_number"):
            p._match_number = callables.number(p._match)
        data["match"] = p._match_number
    if _definer(cls, "__repr__").__module__ != __name__:
        data["repr"] = repr(p)
    return data


def _definer(cls, name):
    return next(c for c in cls.__mro__ if name in vars(c))


def _arg(a, seen):
    if isinstance(a, PatternExpr):
        return {"pattern": _expr(a, seen)}
    if isinstance(a, list):
        return {"list": [_arg(v, seen) for v in a]}
    if isinstance(a, tuple):
        return {"tuple": [_arg(v, seen) for v in a]}
    if isinstance(a, dict):
        return {"dict": [[k, _arg(v, seen)] for k, v in a.items()]}
    return {"value": wire.encode(a)}


# Public functions that are the same object as another one, after which a graph names them.
_ELSEWHERE = {
    "torch": {
        name: f"torch.functional.{name}"
        for name in (
            "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors",
            "cartesian_prod", "cdist", "chain_matmul", "einsum", "lu", "meshgrid", "norm", "split", "stft", "tensordot",
            "unique", "unique_consecutive", "unravel_index",
        )
    },
    "torch.nn.functional": {
        "logsigmoid": "torch._C._nn.log_sigmoid", "threshold": "torch.nn.functional._threshold",
        **{
            name: f"torch._C._nn.{name}"
            for name in (
                "avg_pool2d", "avg_pool3d", "elu_", "gelu", "hardtanh_", "leaky_relu_", "linear", "one_hot",
                "scaled_dot_product_attention", "softplus", "softshrink",
            )
        },
        **{
            name: f"torch.{name}"
            for name in (
                "adaptive_avg_pool1d", "avg_pool1d", "bilinear", "celu_", "channel_shuffle", "conv1d", "conv2d",
                "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity",
                "hardshrink", "native_channel_shuffle", "pairwise_distance", "pdist", "pixel_shuffle",
                "pixel_unshuffle", "prelu", "relu_", "rrelu_", "selu_",
            )
        },
    },
}


def fn_name(f):
    """A function as Node.target names it: `aten.add.Tensor`, `operator.getitem`, `torch.relu`."""
    if isinstance(f, str):
        return f
    name = getattr(f, "_fusescope_op", None)
    if isinstance(name, str):
        return name
    module = getattr(f, "__module__", None) or "builtins"
    if module.startswith("torch"):
        for public in ("torch", "torch.nn.functional"):
            found = next((k for k, v in vars(sys.modules[public]).items() if v is f), None)
            if found is not None:
                return _ELSEWHERE[public].get(found) or f"{public}.{found}"
    return f"{'operator' if module == '_operator' else module}.{getattr(f, '__qualname__', type(f).__name__)}"
