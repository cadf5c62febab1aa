"""Short texts of values, in the user's notation: the arguments of a registration, for display and comparison."""

import dataclasses
import enum
import functools
import re
import sys
import types
import zlib
from typing import Any

from torch._ops import OpOverload, OpOverloadPacket
from torch._types import device, dtype

from .. import frames, stubs
from ..source import user_syntax

_LONGEST = 200
_MOST_ITEMS = 16
_MOST_ATTRIBUTES = 40
_DEEPEST = 3
_PLAIN = (type(None), bool, int, float, complex, str, bytes, dtype, device, range, slice)
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}")


# Facts of the current registration, whose bindings, loops and arguments hold the same values several times.
_texts = {}  # (id, depth) → (the value, which keeps the id its own, its pairs)
_users = {}  # id of a class → (the class, whether it is the user's)
_constants = {}  # `constants` or `imported` → {id of a class: [(name, value of the class)]}


def forget() -> None:
    """Begins or ends a registration: between two, any value may change."""
    _texts.clear()
    _users.clear()
    _constants.clear()


def flat(name: str, value: Any) -> list[tuple]:
    """[(name, text)] of a value that has a text, or of its fields (`cfg.eps`) if not all values of its kind have one.
    Empty for tensors, modules, and objects whose repr is an address and whose fields have no text."""
    return [(name + label, shown) for label, shown in _pairs(value, 0)]


def _pairs(value, depth):
    known = _texts.get((id(value), depth))
    if known is None:
        try:
            found = _flat(value, depth)
        except Exception:  # the user's own __eq__, __class__ or property
            found = []
        known = _texts[id(value), depth] = (value, found)
    return known[1]


def _flat(value, depth):
    found = text(value)
    own = [] if found is None else [("", found)]
    if depth == _DEEPEST or own and not _is_users(type(value)) or isinstance(value, enum.Enum):
        return own
    return own + [
        (field + label, shown) for field, inner in _fields(value) for label, shown in _pairs(inner, depth + 1)
    ]


def text(value: Any, depth: int = 0) -> str | None:
    """A text that two values share only if they are equal to the user; None if there is none."""
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}" if value.name else _short(str(value))
    if isinstance(value, _PLAIN):
        return user_syntax.float_text(value) or _short(repr(value))
    if isinstance(value, (OpOverload, OpOverloadPacket)):
        return str(value)
    if (named := _constant(value)) is not None:
        return named
    if _is_library(type(value)) and type(value).__str__ is not object.__str__:
        return _short(str(value))
    if depth < _DEEPEST and type(value) in (tuple, list, set, frozenset) and len(value) <= _MOST_ITEMS:
        return _items(value, depth)
    if isinstance(value, (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType)):
        return _function(value)
    if _is_users(type(value)) and not dataclasses.is_dataclass(value) and _own_repr(type(value)):
        try:
            shown = repr(value)
        except Exception:
            return None
        return None if _ADDRESS.search(shown) else _short(shown)
    return None


def _items(value, depth):
    parts = [text(v, depth + 1) for v in value]
    if any(p is None for p in parts):
        return None
    if isinstance(value, (set, frozenset)):
        parts.sort()
    inside = ", ".join(parts)
    if isinstance(value, tuple):
        return _short(f"({inside},)" if len(parts) == 1 else f"({inside})")
    return _short(f"[{inside}]" if isinstance(value, list) else f"{{{inside}}}" if parts else "set()")


def _function(value):
    name = getattr(value, "__qualname__", None)
    if name is None or "<lambda>" in name:
        return user_syntax.lambda_text(value.__code__) if hasattr(value, "__code__") else None
    module = (getattr(value, "__module__", None) or "").split(".")
    public = ".".join(p for p in module if not p.startswith("_")) if module[0] == "torch" else ""
    return f"{public}.{name}".lstrip(".").split("<locals>.")[-1]


def _fields(value):
    """[(label, value)] of the fields of a user object; empty for other objects."""
    if isinstance(value, functools.partial):
        return [(f".{k}", v) for k, v in {**dict(enumerate(value.args)), **value.keywords}.items()]
    if isinstance(value, dict) and len(value) <= _MOST_ITEMS:
        return [(f"[{k!r}]", v) for k, v in value.items() if isinstance(k, (str, int, bool))]
    if type(value) in (tuple, list) and len(value) <= _MOST_ITEMS:
        return [(f"[{i}]", v) for i, v in enumerate(value)]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(f".{k}", v) for k, v in value._asdict().items()]
    if _is_users(type(value)) or isinstance(value, types.SimpleNamespace):
        return [(f".{k}", v) for k, v in attributes(value)]
    return []


def attributes(value: Any) -> list[tuple]:
    """[(name, value)] of an instance's attributes, in __dict__ and slots; for a class, of the class and its bases."""
    try:
        return _attributes(value)
    except Exception:  # the user's own __getattribute__
        return []


def _attributes(value):
    if isinstance(value, type):
        pairs = {k: v for c in reversed(value.__mro__) if _is_users(c) for k, v in vars(c).items()}
        return [(k, v) for k, v in pairs.items() if not k.startswith("__") and not isinstance(v, _MEMBERS)]
    pairs = dict(getattr(value, "__dict__", {}))
    for c in type(value).__mro__:
        slots = c.__dict__.get("__slots__", ())
        for k in (slots,) if isinstance(slots, str) else slots:
            if k not in pairs and not k.startswith("__") and hasattr(value, k):
                pairs[k] = getattr(value, k)
    return list(pairs.items())[:_MOST_ATTRIBUTES]


_MEMBERS = (types.FunctionType, classmethod, staticmethod, property, types.MemberDescriptorType)


def _is_users(cls):
    # By identity: a metaclass may have an __eq__ of its own.
    known = _users.get(id(cls))
    if known is None:
        module = sys.modules.get(cls.__module__)
        known = _users[id(cls)] = (cls, (getattr(module, "__file__", None) or "").startswith(frames.WORKSPACE))
    return known[1]


def _is_library(cls):
    """True for a class of a project that Fusescope provides, such as vLLM's QuantKey."""
    return stubs.is_library(sys.modules.get(cls.__module__))


def _own_repr(cls):
    return cls.__repr__ is not object.__repr__


def _constant(value):
    """The module-level constant name of this value in user code, defined or imported: `kFp8Dynamic128Sym`."""
    if isinstance(value, (type, types.FunctionType)) or not (_is_users(type(value)) or _is_library(type(value))):
        return None
    by_value = dataclasses.is_dataclass(value) or isinstance(value, tuple)
    for name, candidate in _constants_of("constants" if _is_users(type(value)) else "imported").get(
        id(type(value)), ()
    ):
        if candidate is value or (by_value and _equal(candidate, value)):
            return name
    return None


def _constants_of(kind):
    """The values of module-level names, by their class; "constants": defined by the file, "imported": imported by it."""
    found = _constants.get(kind)
    if found is None:
        found = _constants[kind] = {}
        names = getattr(user_syntax, kind)
        for file, module in frames.user_modules().items():
            for name in names(file):
                value = vars(module).get(name)
                found.setdefault(id(type(value)), []).append((name, value))
    return found


def _equal(a, b):
    try:
        return bool(a == b)
    except Exception:
        return False


def _short(shown):
    """Shortens a long text; a checksum of the omitted middle keeps different texts different."""
    if len(shown) <= _LONGEST:
        return shown
    return f"{shown[: _LONGEST - 40]}…{shown[-20:]} #{zlib.crc32(shown.encode(errors='replace')) & 0xFFFF:04x}"
