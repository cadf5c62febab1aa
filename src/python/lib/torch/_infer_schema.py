"""torch.library.infer_schema: an operator's schema from the annotations of a Python function."""

import inspect
import typing

from . import _types
from ._tensor import Tensor

_PLAIN = {
    Tensor: "Tensor",
    int: "SymInt",
    float: "float",
    bool: "bool",
    str: "str",
    _types.dtype: "ScalarType",
    _types.device: "Device",
    typing.Any: "Any",
}


def infer_schema(prototype_function, /, *, mutates_args, op_name=None, tags=()):
    """A schema from annotations, as torch.library.infer_schema writes it."""
    signature = inspect.signature(prototype_function)
    try:
        hints = typing.get_type_hints(prototype_function)
    except NameError as e:
        raise ValueError(
            f"infer_schema(func): Unsupported type annotation. It is not a type. ({e}). Got func with signature {signature})"
        ) from None
    parts, keyword_only = [], False
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ValueError(
                f"infer_schema(func): Parameter {parameter.name} has an unsupported kind (*args or **kwargs)"
            )
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            parts.append("*")
        if parameter.name not in hints:
            raise ValueError(
                f"infer_schema(func): Parameter {parameter.name} must have a type annotation. Got func with signature {signature})"
            )
        text = _schema_type(hints[parameter.name], parameter.name)
        if mutates_args == "unknown" or parameter.name in mutates_args:
            if text.startswith("Tensor"):
                mark = f"Tensor(a{len([p for p in parts if p != '*'])}!)"
                text = mark + text[len("Tensor") :]
            elif mutates_args != "unknown":
                raise ValueError(
                    f"infer_schema(func): Parameter {parameter.name} is in mutable_args but only Tensors or collections "
                    f"of Tensors can be mutated Got func with signature {signature})"
                )
        default = parameter.default
        if default is parameter.empty:
            parts.append(f"{text} {parameter.name}")
        else:
            parts.append(f"{text} {parameter.name}={_default(default)}")
    if mutates_args != "unknown":
        unknown = set(mutates_args) - set(signature.parameters)
        if unknown:
            raise ValueError(
                f"infer_schema(func): {unknown} in mutates_args were not found in the function's parameters"
            )
    returns = _returns(hints.get("return"))
    return f"{op_name or ''}({', '.join(parts)}) -> {returns}"


def _default(value):
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    return str(value).replace("torch.", "")


def _schema_type(hint, name):
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union or type(hint).__name__ == "UnionType":
        rest = [a for a in args if a is not type(None)]
        if len(rest) == 1 and len(args) == 2:
            return _schema_type(rest[0], name) + "?"
        if set(rest) <= {int, float, bool}:
            return "Scalar" + ("?" if len(rest) < len(args) else "")
    if origin in (list, typing.Sequence) or str(origin).endswith("Sequence'>"):
        return _schema_type(args[0], name) + "[]"
    raise ValueError(
        f"infer_schema(func): Parameter {name} has unsupported type {hint}. The valid types are: {list(_PLAIN)}"
    )


def _returns(hint):
    if hint is None or hint is type(None):
        return "()"
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return "(" + ", ".join(_schema_type(a, "return") for a in args) + ")"
    return _schema_type(hint, "return")
