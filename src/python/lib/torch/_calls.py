"""Maps Python calls to packets: normalizes the argument forms that torch's parser accepts."""

import collections
import itertools
import re

from _fusescope import bridge

from . import overrides
from ._names import INPUT
from ._types import type_name

VARARGS = frozenset("permute expand repeat flip view reshape tile view_copy resize_ expand_copy sum_to_size".split())
"""Methods that accept sizes as separate arguments: x.repeat(2, 1)."""

_PAIR = ("values", "indices")
_RETURNS = {
    **dict.fromkeys("max min topk sort median nanmedian kthvalue mode cummax cummin".split(), _PAIR),
    "aminmax": ("min", "max"),
    "var_mean": None,
    "std_mean": None,
    "frexp": ("mantissa", "exponent"),
    "slogdet": ("sign", "logabsdet"),
    "qr": ("Q", "R"),
    "svd": ("U", "S", "V"),
    "histogram": ("hist", "bin_edges"),
}
_OUTS = {"max": ("max", "max_values"), "min": ("min", "min_indices")}
_types = {}


def sizes(args):
    """Treats view(2, 3), view((2, 3)) and view([2, 3]) alike."""
    given = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
    return [size if type(size) is int else _number(size) for size in given]


def _number(size):
    """A size: the number of a constant integer tensor."""
    value = getattr(size, "_value", None)
    return value if type(value) is int else size


_OF_NUMBERS = {
    "add": int.__add__,
    "sub": int.__sub__,
    "subtract": int.__sub__,
    "mul": int.__mul__,
    "multiply": int.__mul__,
}


def _product_of_numbers(name, a, b):
    """torch.mul(2, 3): a tensor whose number is known, which counts as a size."""
    made = bridge.op(f"aten.{name}", (a, b), {})
    made._value = _OF_NUMBERS[name](a, b)
    return made


def _running_sum(args, kwargs):
    """torch.cumsum of a constant list of ints: its values are known."""
    made = named("cumsum", bridge.op("aten.cumsum", args, kwargs))
    made._value = list(itertools.accumulate(args[0]._value))
    return made


def _is_list_of_ints(value):
    return type(value) is list and all(type(v) is int for v in value)


def call(name, args, kwargs):
    """torch.<name>(*args, **kwargs), or the method with the tensor as first argument."""
    if kwargs:
        kwargs = _keywords(name, kwargs)
    if name in ("index_put", "index_put_") and len(args) > 1:
        _only_tensors(args[1])
    try:
        if name in _OF_NUMBERS and not kwargs and len(args) == 2 and all(type(a) is int for a in args):
            return _product_of_numbers(name, *args)
        if name == "cumsum" and args and _is_list_of_ints(getattr(args[0], "_value", None)):
            return _running_sum(args, kwargs)
        return named(name, bridge.op(f"aten.{_overload(name, args, kwargs)}", args, kwargs))
    except (RuntimeError, TypeError) as e:
        refused = _refused(name, str(e).split("\n\n")[0], args)
        if refused is None:
            raise
        raise TypeError(refused) from None


def op(target, args, kwargs):
    """An operator that a function of torch.nn.functional calls by torch's parser, whose errors name its argument."""
    try:
        return bridge.op(target, args, kwargs)
    except RuntimeError as e:
        refused = _refused(target.split(".")[1], str(e).split("\n\n")[0], args)
        if refused is None:
            raise
        raise TypeError(refused) from None


def _overload(name, args, kwargs):
    """The packet, or the overload where torch's parser chooses another than torch.ops: x.var() passes no correction."""
    if name not in ("var", "std", "var_mean", "std_mean"):
        return name
    if kwargs.get("out") is not None:
        return (
            f"{name}.{'correction_out' if 'correction' in kwargs or 'dim' not in kwargs and len(args) == 1 else 'out'}"
        )
    if "correction" in kwargs or "unbiased" not in kwargs and "dim" not in kwargs and len(args) == 1:
        return f"{name}.correction"
    if "dim" not in kwargs and (len(args) == 1 or isinstance(args[1], bool)):
        return f"{name}.default"
    return f"{name}.dim"


def _only_tensors(indices):
    """The parser takes no None among these, which aten does."""
    for i, index in enumerate(indices if isinstance(indices, (list, tuple)) else ()):
        if index is None:
            raise TypeError(f"expected Tensor as element {i} in argument 1, but got NoneType")


_POSITION = re.compile(r"(?<=\(position )(\d+)(?=\))")


def method(name, args, kwargs):
    """x.<name>(…): errors count positions without the tensor itself."""
    if overrides.active and (found := overrides.find(args, kwargs)) is not None:
        if isinstance(found, overrides.TorchFunctionMode):
            return overrides.handled(getattr(overrides.tensor_class, name), args, kwargs, found)
        return found.tracer.create_proxy("call_method", name, args, kwargs)
    try:
        return call(name, args, kwargs)
    except TypeError as e:
        text = str(e).replace(" in argument 1,", " in argument 0,")
        raise TypeError(_POSITION.sub(lambda m: str(max(1, int(m[0]) - 1)), text)) from None


_UNKNOWN = re.compile(r"Unknown keyword argument '(\w+)'")
_WRONG = re.compile(
    r"Expected a value of type '([^']+)' for argument '(\w+)' but instead found type '(\w+)'\.\nPosition: (\d+)"
)
_MISSING = re.compile(r"is missing value for argument '(\w+)'")


_NO_TENSOR = re.compile(r"argument 'self' must be a Tensor$")


def _refused(name, message, args):
    """The TypeError of torch's argument parser for arguments that fit no overload; torch.ops raises a RuntimeError
    instead."""
    if found := _UNKNOWN.search(message):
        return f"{name}() got an unexpected keyword argument '{found[1]}'"
    found = _WRONG.search(message)
    if found and found[3] == "int" and found[1] in ("int", "Optional[int]"):
        raise ValueError("Overflow when unpacking long long") from None
    if args and (found and found[2] == "self" and found[4] == "0" or _NO_TENSOR.search(message)):
        return f"{name}(): argument 'input' (position 1) must be Tensor, not {type_name(args[0])}"
    if found:
        wanted = found[1].removeprefix("Optional[").removesuffix("]") if found[1].startswith("Optional[") else found[1]
        return f"{name}(): argument '{found[2]}' (position {int(found[4]) + 1}) must be {wanted}, not {found[3]}"
    if found := _MISSING.search(message):
        return f'{name}() missing 1 required positional arguments: "{found[1]}"'
    return None


_OF_AXIS = {"fake_quantize_per_channel_affine", "quantize_per_channel", "segment_reduce"}
"""Functions with a parameter `axis` of their own, which elsewhere is NumPy's name of dim."""


def _keywords(name, kwargs):
    out = {}
    for key, value in kwargs.items():
        if key == "out":
            out.update(outs(value, _OUTS.get(name) or _RETURNS.get(name)))
            continue
        if key == "input" and name not in INPUT:
            key = "self"
        elif key == "axis" and name not in _OF_AXIS:
            key = "dim"
        elif key == "keepdims":
            key = "keepdim"
        out[key] = value
    return out


def outs(given, names):
    """The keywords that pass `out=` on: a tuple's tensors have the names of the overload's parameters."""
    if given is None:
        return {}
    return dict(zip(names, given)) if names and isinstance(given, (tuple, list)) else {"out": given}


def named(name, result):
    """Converts lists to tuples, and gives the results of max, sort and similar their field names."""
    if type(result) is list:
        return tuple(result)
    if type(result) is tuple:
        fields = _RETURNS.get(name)
        if fields is not None and len(fields) == len(result):
            kind = _types.get(name)
            if kind is None:
                kind = _types[name] = collections.namedtuple(name, fields, module="torch.return_types")
            return kind(*result)
    return result
