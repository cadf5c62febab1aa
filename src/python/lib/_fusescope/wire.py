"""Python values as JSON and back; int and float, and list and tuple, stay distinct. The same table is in
src/python/wire.ts."""

import math
from json import JSONDecoder, JSONEncoder, encoder
from collections.abc import Callable
from typing import Any

_BIG = 2**53

# torch's own classes, which it registers: this module imports none of torch.
_encoders = {}  # class → the data of its object
_families = []  # (class, the data of its object) for classes with subclasses
_decoders = {}  # the first key of the data → the object


def register(kind: type, encode: Callable, key: str, decode: Callable, subclasses: bool = False) -> None:
    """Adds a class to the values that cross: `key` comes first in the data of its objects."""
    _encoders[kind], _decoders[key] = encode, decode
    if subclasses:
        _families.append((kind, encode))


def register_key(key: str, decode: Callable) -> None:
    """Adds a form of data that Python reads only."""
    _decoders[key] = decode


# json.dumps makes an encoder for each text, and json.loads looks for spaces around it; a run has hundreds of calls.
_chunks = encoder.c_make_encoder(
    None, JSONEncoder().default, encoder.encode_basestring_ascii, None, ": ", ", ", False, False, True
)
_scan = JSONDecoder().scan_once


def to_json(value: dict | list) -> str:
    """json.dumps(value), for data without cycles."""
    return "".join(_chunks(value, 0))


def from_json(text: str) -> Any:
    """json.loads(text), for a text without spaces around it."""
    return _scan(text, 0)[0]


def encode(value: Any) -> Any:
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return value if -_BIG < value < _BIG else {"i": str(value)}
    if kind is float:
        return {"f": value if math.isfinite(value) else repr(value)}
    if kind is list:
        return [encode(v) for v in value]
    made = _encoders.get(kind)
    if made is not None:
        return made(value)
    for family, made in _families:
        if isinstance(value, family):
            return made(value)
    if isinstance(value, tuple):
        return {"t": [encode(v) for v in value]}
    if kind is slice:
        return {"sl": [encode(value.start), encode(value.stop), encode(value.step)]}
    if value is Ellipsis:
        return {"e": 1}
    if kind is complex:
        return {"c": [value.real, value.imag]}
    if kind is dict:
        return {"d": [[str(k), encode(v)] for k, v in value.items()]}
    name = getattr(value, "_fusescope_op", None)
    if isinstance(name, str):
        return {"op": name}
    if getattr(value, "_fusescope_node", None) is True:
        return {"node": value._key}
    if isinstance(value, bool):
        return bool(value)
    if isinstance(value, int):
        return encode(int(value))
    if isinstance(value, float):
        return encode(float(value))
    if isinstance(value, list):
        return [encode(v) for v in value]
    raise TypeError(f"a {kind.__name__} cannot be an argument of an operator: {value!r:.80}")


def decode(data: Any) -> Any:
    kind = type(data)
    if kind is list:
        return [decode(v) for v in data]
    if kind is not dict:
        return data
    key = next(iter(data), None)
    made = _decoders.get(key)
    if made is not None:
        return made(data)
    if "f" in data:
        return float(data["f"])
    if "i" in data:
        return int(data["i"])
    if "t" in data:
        return tuple(decode(v) for v in data["t"])
    if "d" in data:
        return {k: decode(v) for k, v in data["d"]}
    if "sl" in data:
        return slice(*(decode(v) for v in data["sl"]))
    if "e" in data:
        return Ellipsis
    if "c" in data:
        return complex(*data["c"])
    return data.get("text")
