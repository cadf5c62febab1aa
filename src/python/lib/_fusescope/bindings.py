"""What tells one registration from its siblings: closure variables, and attributes of the instance behind them."""
import dataclasses
import enum
import sys

from torch._types import device, dtype

from .frames import WORKSPACE

_LONGEST = 60


def title(fn):
    """The class whose method made the function (`Pattern.register.<locals>.pattern` → Pattern), or the function's name."""
    owner = _instance(fn)
    if owner is not None:
        return type(owner).__name__
    name = getattr(fn, "__qualname__", None) or type(fn).__name__
    first = name.split(".")[0]
    return first if "<locals>" in name else name


def of(search, replace=None):
    found = {}
    for fn in (search, replace):
        for name, value in _closure(fn).items():
            if name != "self" and (text := _text(value)) is not None:
                found.setdefault(name, text)
    owner = _instance(search)
    if owner is None:
        owner = _instance(replace)
    if owner is not None:
        for name, value in getattr(owner, "__dict__", {}).items():
            if not name.startswith("_") and (text := _text(value)) is not None:
                found.setdefault(name, text)
    return found


def _closure(fn):
    fn = getattr(fn, "__func__", fn)
    code, cells = getattr(fn, "__code__", None), getattr(fn, "__closure__", None) or ()
    names = code.co_freevars if code else ()
    out = {}
    for name, cell in zip(names, cells):
        try:
            out[name] = cell.cell_contents
        except ValueError:
            pass
    return out


def _instance(fn):
    bound = getattr(fn, "__self__", None)
    if bound is not None and not isinstance(bound, type):
        return bound
    inside = _closure(fn).get("self")
    if inside is not None:
        return inside
    return fn if not hasattr(fn, "__code__") and hasattr(fn, "__dict__") and not hasattr(fn, "__func__") else None


def _text(value):
    """A short text of a plain value; None for what does not tell patterns apart (tensors, functions, helpers)."""
    if value is None or isinstance(value, (bool, int, float, str, dtype, device)):
        return repr(value)[:_LONGEST]
    if isinstance(value, enum.Enum):
        return str(value)
    plain = dataclasses.is_dataclass(value) and not isinstance(value, type)
    if isinstance(value, tuple):
        plain = hasattr(value, "_fields") or all(_text(v) is not None for v in value)
    if plain:
        return _module_name(value) or repr(value)[:_LONGEST]
    return None


def _module_name(value):
    for module in list(sys.modules.values()):
        if not (getattr(module, "__file__", None) or "").startswith(WORKSPACE):
            continue
        for name, candidate in vars(module).items():
            if name.startswith("__"):
                continue
            if candidate is value or (type(candidate) is type(value) and candidate == value):
                return name
    return None
