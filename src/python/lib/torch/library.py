"""torch.library: operators the user declares. Their kernels live elsewhere; here a schema and a fake are enough."""
import inspect
import typing

from _fusescope import bridge, callables, operators

from . import _types
from ._ops import overload_named
from ._tags import Tag
from ._tensor import Tensor


class Library:
    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        self.ns, self.kind = ns, kind

    def define(self, schema, alias_analysis="", *, tags=()):
        operators.define(self.ns, schema, tags)
        return f"{self.ns}::{schema.split('(')[0].strip()}"

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=False):
        name = op_name if isinstance(op_name, str) else op_name.name()
        if dispatch_key in ("Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd"):
            _fake(name if "::" in name else f"{self.ns}::{name}", fn)

    def _register_fake(self, op_name, fn, _stacklevel=1, **kwargs):
        _fake(op_name if "::" in op_name else f"{self.ns}::{op_name}", fn)

    def _destroy(self):
        pass


def _fake(qualified, fn):
    ns, name = qualified.split("::")
    bridge.call("fake", f"{ns}.{name}" if "." in name else f"{ns}.{name}.default", callables.number(fn))


def define(qualname, schema, *, lib=None, tags=()):
    ns, name = qualname.split("::")
    operators.define(ns, name + schema, tags)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    name = _name_of(op)
    if func is None:
        return lambda fn: (_fake(name, fn), fn)[1]
    _fake(name, func)
    return func


impl_abstract = register_fake


def impl(qualname, types, func=None, *, lib=None):
    return (lambda fn: fn) if func is None else func


def register_kernel(op, device_types, func=None, /, *, lib=None):
    return (lambda fn: fn) if func is None else func


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    pass


def _name_of(op):
    if isinstance(op, str):
        return op
    return op._qualname if isinstance(op, CustomOpDef) else op.name()


class CustomOpDef:
    """What @torch.library.custom_op returns: calls the operator; its body is never run."""

    def __init__(self, qualname, schema, fn, tags=()):
        self._qualname, self._init_fn, self._schema = qualname, fn, schema
        ns, name = qualname.split("::")
        operators.define(ns, name + schema, [Tag.pt2_compliant_tag, *tags])
        self._opoverload = overload_named(f"{ns}.{name}.default")
        self.__name__ = getattr(fn, "__name__", name)
        if schema.endswith("-> ()"):
            _fake(qualname, lambda *args, **kwargs: None)

    def register_fake(self, fn):
        _fake(self._qualname, fn)
        return fn

    register_abstract = register_fake

    def register_kernel(self, device_types, fn=None, /):
        return (lambda f: f) if fn is None else fn

    def register_autograd(self, backward, /, *, setup_context=None):
        pass

    def __call__(self, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    def make(function):
        return CustomOpDef(name, schema if schema is not None else infer_schema(function, mutates_args=mutates_args), function, tags or ())

    return make if fn is None else make(fn)


_PLAIN = {Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str", _types.dtype: "ScalarType",
          _types.device: "Device", typing.Any: "Any"}


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
            raise ValueError(f"infer_schema(func): Parameter {parameter.name} has an unsupported kind (*args or **kwargs)")
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            parts.append("*")
        if parameter.name not in hints:
            raise ValueError(f"infer_schema(func): Parameter {parameter.name} must have a type annotation. Got func with signature {signature})")
        text = _schema_type(hints[parameter.name], parameter.name)
        if mutates_args == "unknown" or parameter.name in mutates_args:
            if text.startswith("Tensor"):
                mark = f"Tensor(a{len([p for p in parts if p != '*'])}!)"
                text = mark + text[len("Tensor"):]
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
            raise ValueError(f"infer_schema(func): {unknown} in mutates_args were not found in the function's parameters")
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
    raise ValueError(f"infer_schema(func): Parameter {name} has unsupported type {hint}. The valid types are: {list(_PLAIN)}")


def _returns(hint):
    if hint is None or hint is type(None):
        return "()"
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return "(" + ", ".join(_schema_type(a, "return") for a in args) + ")"
    return _schema_type(hint, "return")


def opcheck(*args, **kwargs):
    raise NotImplementedError("Fusescope has no kernels for torch.library.opcheck to run")


def triton_op(name, fn=None, /, *, mutates_args, schema=None):
    return custom_op(name, fn, mutates_args=mutates_args, schema=schema)


def wrap_triton(kernel):
    return kernel


def register_vmap(op, func=None, /, *, lib=None):
    return (lambda fn: fn) if func is None else func


def register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None):
    return (lambda fn: fn) if func is None else func


def get_ctx():
    raise NotImplementedError("Fusescope has no torch.library.get_ctx: sizes that depend on data have no numbers here")
