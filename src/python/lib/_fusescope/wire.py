"""Python values as JSON and back; int and float, and list and tuple, stay distinct. The same table is in
src/python/wire.ts."""
import math
from json import JSONDecoder, JSONEncoder, encoder

from torch._types import (
    SymInt, device as Device, dtype as DType, layout as Layout, memory_format as MemoryFormat,
)

_BIG = 2**53

# json.dumps makes an encoder for each text, and json.loads looks for spaces around it; a run has hundreds of calls.
_chunks = encoder.c_make_encoder(None, JSONEncoder().default, encoder.encode_basestring_ascii, None, ": ", ", ", False, False, True)
_scan = JSONDecoder().scan_once


def to_json(value):
    """json.dumps(value), for data without cycles."""
    return "".join(_chunks(value, 0))


def from_json(text):
    """json.loads(text), for a text without spaces around it."""
    return _scan(text, 0)[0]



def encode(value):
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return value if -_BIG < value < _BIG else {"i": str(value)}
    if kind is float:
        return {"f": value if math.isfinite(value) else repr(value)}
    if kind is list:
        return [encode(v) for v in value]
    if kind is DType:
        return {"dt": value._name}
    if kind is Device:
        return {"dv": value.type, "n": value.index}
    if isinstance(value, _Tensor()):
        return {"x": value._id, "g": 1} if value.requires_grad else {"x": value._id}
    if isinstance(value, SymInt):
        return {"s": value._expr}
    if isinstance(value, tuple):
        return {"t": [encode(v) for v in value]}
    if kind is Layout:
        return {"ly": value._name}
    if kind is MemoryFormat:
        return {"mf": value._name}
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


def decode(data):
    kind = type(data)
    if kind is list:
        return [decode(v) for v in data]
    if kind is not dict:
        return data
    if "x" in data:
        return _Tensor()._of(data["x"], data.get("m"))
    if "f" in data:
        return float(data["f"])
    if "i" in data:
        return int(data["i"])
    if "t" in data:
        return tuple(decode(v) for v in data["t"])
    if "d" in data:
        return {k: decode(v) for k, v in data["d"]}
    if "s" in data:
        return SymInt(data["s"])
    if "dt" in data:
        return DType.named(data["dt"])
    if "dv" in data:
        return Device(data["dv"], data["n"])
    if "ly" in data:
        return Layout.named(data["ly"])
    if "mf" in data:
        return MemoryFormat.named(data["mf"])
    if "sl" in data:
        return slice(*(decode(v) for v in data["sl"]))
    if "e" in data:
        return Ellipsis
    if "c" in data:
        return complex(*data["c"])
    if "op" in data:
        from torch._ops import overload_named

        return overload_named(data["op"])
    return data.get("text")


def _Tensor():
    global _Tensor
    from torch._tensor import Tensor

    _Tensor = lambda: Tensor  # noqa: E731
    return Tensor
