"""Patterns as the data that the matcher reads (src/matcher/types.ts PatternData)."""

from typing import Any

from .. import callables, wire
from ..graph.targets import fn_name
from . import expressions, match_context
from .expressions import (
    Arg,
    CallFunction,
    CallFunctionVarArgs,
    CallMethod,
    CallMethodVarArgs,
    CallModule,
    CallModuleVarArgs,
    ExclusiveKeywordArg,
    GetAttr,
    Ignored,
    KeywordArg,
    ListOf,
    MULTIPLE,
    MultiOutputPattern,
    PatternExpr,
    RepeatedExpr,
    _TargetExpr,
)

_KINDS = {
    kind.__name__: kind
    for kind in (
        Arg,
        GetAttr,
        Ignored,
        KeywordArg,
        ExclusiveKeywordArg,
        CallFunction,
        CallMethod,
        CallModule,
        CallFunctionVarArgs,
        CallMethodVarArgs,
        CallModuleVarArgs,
        ListOf,
        MultiOutputPattern,
        RepeatedExpr,
    )
}


def to_data(pattern: Any) -> dict:
    return _expr(pattern, set())


def _expr(p, seen):
    if p is None:
        return None
    kind = next((k.__name__ for k in type(p).__mro__ if k in _KINDS.values()), None)
    if kind is None and not isinstance(p, PatternExpr):
        raise TypeError(f"expected a pattern such as CallFunction(…) or KeywordArg(…), got {type(p).__name__}")
    if p._id in seen:
        return {"expr": "ref", "id": p._id}
    seen.add(p._id)
    data = {"expr": kind or "User", "id": p._id, **_own(p)}
    if p._place is not None:
        data["at"] = p._place[:2]
    if kind is None:
        fns = getattr(p, "fns", None)
        op = getattr(p, "op", None)  # user-defined pattern classes may store an operator here
        data["op"], data["fns"] = (
            op if isinstance(op, str) else None,
            None if fns is None else [fn_name(f) for f in fns],
        )
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
    """Data of a user subclass: the methods it overrides."""
    cls = type(p)
    if cls in _KINDS.values():
        return {}
    data = {"className": cls.__name__}
    if _definer(cls, "_match").__module__ != expressions.__name__:
        if not hasattr(p, "_match_number"):
            p._match_number = callables.number(p._match)
        data["match"] = p._match_number
    if _definer(cls, "find_anchor_nodes").__module__ != expressions.__name__:
        if not hasattr(p, "_anchors_number"):
            p._anchors_number = callables.number(p.find_anchor_nodes)
        data["anchors"] = p._anchors_number
    if _definer(cls, "__repr__").__module__ != expressions.__name__:
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


match_context.to_data = to_data
