"""Python objects in the arguments of nodes, by number: the engine keeps the number and a text."""

from typing import Any

from .. import wire

_kept = []
_numbers = {}  # id → number; the objects stay alive in _kept


def number(value: Any) -> int:
    if id(value) not in _numbers:
        _numbers[id(value)] = len(_kept)
        _kept.append(value)
    return _numbers[id(value)]


def get(n: int) -> Any:
    return _kept[n]


def encode(value: Any) -> Any:
    """wire.encode(value); an object without an encoding is sent as a number."""
    try:
        return wire.encode(value)
    except TypeError:
        if isinstance(value, list):
            return [encode(v) for v in value]
        if isinstance(value, tuple):
            return {"t": [encode(v) for v in value]}
        if isinstance(value, dict):
            return {"d": [[str(k), encode(v)] for k, v in value.items()]}
        return {"text": _text(value), "py": number(value)}


def _text(value):
    try:
        return repr(value)[:2000]
    except Exception:
        return f"<{type(value).__name__}>"
