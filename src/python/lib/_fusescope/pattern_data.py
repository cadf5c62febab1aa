"""PatternExpr classes as people write them, and the data the matcher reads (src/matcher/types.ts PatternData)."""
from . import wire


class _Multiple:
    def __repr__(self):
        return "MULTIPLE"


MULTIPLE = _Multiple()


class PatternExpr:
    def find_anchor_nodes(self, *args):
        raise NotImplementedError("matching is done by the engine")


class Arg(PatternExpr):
    pass


class Ignored(PatternExpr):
    def __repr__(self):
        return "*"


class KeywordArg(PatternExpr):
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"KeywordArg({self.name!r})"


class ExclusiveKeywordArg(KeywordArg):
    pass


class _Target(PatternExpr):
    def __init__(self, fns, *args, _users=1, **kwargs):
        self.fns = list(fns) if isinstance(fns, (list, tuple)) else [fns]
        self.args, self.kwargs, self.users = args, kwargs, _users


class CallFunction(_Target):
    pass


class CallMethod(_Target):
    pass


class CallModule(_Target):
    pass


class CallFunctionVarArgs(_Target):
    def __init__(self, fns, _users=1):
        super().__init__(fns, _users=_users)


class CallMethodVarArgs(CallFunctionVarArgs):
    pass


class CallModuleVarArgs(CallFunctionVarArgs):
    pass


class ListOf(PatternExpr):
    def __init__(self, pattern, partial=False):
        self.pattern, self.partial = pattern, partial


class MultiOutputPattern(PatternExpr):
    def __init__(self, outputs):
        self.outputs = list(outputs)


class RepeatedExpr(PatternExpr):
    def __init__(self, inner_pattern):
        self.pattern = inner_pattern


def to_data(pattern):
    return _expr(pattern, {})


def _expr(p, seen):
    if p is None:
        return None
    if id(p) in seen:
        return {"expr": "ref", "id": seen[id(p)]}
    number = seen[id(p)] = len(seen)
    data = {"expr": type(p).__name__, "id": number}
    if isinstance(p, KeywordArg):
        data["name"] = p.name
    elif isinstance(p, _Target):
        data["fns"] = [_fn(f) for f in p.fns]
        data["args"] = [_arg(a, seen) for a in p.args]
        data["kwargs"] = [[k, _arg(v, seen)] for k, v in p.kwargs.items()]
        data["users"] = "MULTIPLE" if p.users is MULTIPLE else p.users
    elif isinstance(p, MultiOutputPattern):
        data["outputs"] = [_expr(o, seen) for o in p.outputs]
    elif isinstance(p, ListOf):
        data["pattern"], data["partial"] = _expr(p.pattern, seen), bool(p.partial)
    elif isinstance(p, RepeatedExpr):
        data["pattern"] = _expr(p.pattern, seen)
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


def _fn(f):
    if isinstance(f, str):
        return f
    name = getattr(f, "_fusescope_op", None)
    if name is not None:
        return name
    module = {"_operator": "operator", "torch.nn.functional": "torch.nn.functional"}.get(f.__module__, f.__module__)
    return f"{module}.{f.__name__}"
