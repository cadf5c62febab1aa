"""PatternExpr classes as people write them, and the data the matcher reads (src/matcher/types.ts PatternData)."""
import itertools

from . import wire

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
        return self

    def match(self, node):
        raise NotImplementedError("Fusescope matches patterns itself, when the pass is applied to the graph that is shown")

    def has_multiple_users(self):
        return False

    def __repr__(self):
        return f"{type(self).__name__}()"


class Arg(PatternExpr):
    pass


class Ignored(PatternExpr):
    def __repr__(self):
        return "*"


class KeywordArg(PatternExpr):
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"


class ExclusiveKeywordArg(KeywordArg):
    pass


class _Target(PatternExpr):
    def __init__(self, fns, users):
        self.fns = [fns] if callable(fns) or isinstance(fns, str) else list(fns)
        self.args, self.kwargs, self.users = (), {}, users

    def has_multiple_users(self):
        return self.users is MULTIPLE or self.users > 1

    def __repr__(self):
        names = [f if isinstance(f, str) else str(getattr(f, "__name__", f)) for f in self.fns]
        inside = [f"[{names[0]}, ...]" if len(names) > 1 else names[0], *map(repr, self.args)]
        inside += [f"{k}={v!r}" for k, v in self.kwargs.items()]
        if self.users is MULTIPLE:
            inside.append("_users=MULTIPLE")
        elif self.users != 1:
            inside.append(f"_users={self.users}")
        return f"{type(self).__name__}({', '.join(inside)})"


class _TargetArgs(_Target):
    def __init__(self, fns, *args, _users=1, **kwargs):
        super().__init__(fns, _users)
        self.args, self.kwargs = tuple(args), dict(kwargs)


class CallFunction(_TargetArgs):
    op = "call_function"


class CallMethod(_TargetArgs):
    op = "call_method"


class CallModule(_TargetArgs):
    op = "call_module"


class _TargetVarArgs(_Target):
    def __init__(self, fns, users=1):
        super().__init__(fns, users)


class CallFunctionVarArgs(_TargetVarArgs):
    op = "call_function"


class CallMethodVarArgs(_TargetVarArgs):
    op = "call_method"


class CallModuleVarArgs(_TargetVarArgs):
    op = "call_module"


class ListOf(PatternExpr):
    def __init__(self, pattern, partial=False):
        if not isinstance(pattern, PatternExpr):
            raise AssertionError(f"expected PatternExpr, got {type(pattern)}")
        self.pattern, self.partial = pattern, partial

    def __repr__(self):
        return f"ListOf({self.pattern})"


class MultiOutputPattern(PatternExpr):
    def __init__(self, outputs):
        if not isinstance(outputs[0], _Target):
            raise AssertionError(f"expected _TargetExpr, got {type(outputs[0])}")
        if not all(x is None or isinstance(x, PatternExpr) for x in outputs):
            raise AssertionError(outputs)
        self.outputs, self.op, self.fns = list(outputs), outputs[0].op, outputs[0].fns

    def __repr__(self):
        return f"MultiOutputPattern({self.outputs})"


class RepeatedExpr(PatternExpr):
    def __init__(self, inner_pattern):
        self.inner_pattern, self.op = inner_pattern, inner_pattern.op

    @property
    def fns(self):
        return self.inner_pattern.fns


_KNOWN = {
    kind.__name__: kind
    for kind in (
        Arg, Ignored, KeywordArg, ExclusiveKeywordArg, CallFunction, CallMethod, CallModule, CallFunctionVarArgs,
        CallMethodVarArgs, CallModuleVarArgs, ListOf, MultiOutputPattern, RepeatedExpr,
    )
}


def to_data(pattern):
    return _expr(pattern, set())


def _expr(p, seen):
    if p is None:
        return None
    kind = next((k.__name__ for k in type(p).__mro__ if k in _KNOWN.values()), None)
    if kind is None:
        raise TypeError(f"expected a pattern such as CallFunction(…) or KeywordArg(…), got {type(p).__name__}")
    if p._id in seen:
        return {"expr": "ref", "id": p._id}
    seen.add(p._id)
    data = {"expr": kind, "id": p._id}
    if isinstance(p, KeywordArg):
        data["name"] = p.name
    elif isinstance(p, _Target):
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


def fn_name(f):
    """A function as Node.target names it: `aten.add.Tensor`, `operator.getitem`, `torch.relu`."""
    if isinstance(f, str):
        return f
    name = getattr(f, "_fusescope_op", None)
    if isinstance(name, str):
        return name
    module = getattr(f, "__module__", None) or "builtins"
    return f"{'operator' if module == '_operator' else module}.{getattr(f, '__qualname__', type(f).__name__)}"
