"""torch.fx.operator_schemas: the arguments of a call by the callee's signature."""

import inspect
import typing
from typing import Any, NamedTuple

from torch._ops import OpOverload, OpOverloadPacket


class ArgsKwargsPair(NamedTuple):
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def _signature(overload):
    """`self` is `input` here, as in PyTorch's signatures of operators."""

    def parameter(a):
        kind = inspect.Parameter.KEYWORD_ONLY if a.kwarg_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default = a.default_value if a.has_default_value() else inspect.Parameter.empty
        name = "input" if a.name == "self" else a.name
        return inspect.Parameter(name, kind, default=default, annotation=str(a.type))

    return inspect.Signature([parameter(a) for a in overload._schema.arguments])


def get_signature_for_torch_op(op):
    """One signature for each overload; None for a function that is no operator."""
    op = _packet_of(op) or op
    if isinstance(op, OpOverload):
        return [_signature(op)]
    return [_signature(o) for o in op.op_overloads()] if isinstance(op, OpOverloadPacket) else None


def _packet_of(function):
    """The packet of a function that PyTorch writes in C++; None for one in Python, which has a signature of its own."""
    module = getattr(function, "__module__", None) or ""
    if module != "torch" and not module.startswith("torch._C._"):
        return None
    import torch

    return getattr(torch.ops.aten, function.__name__, None)


_PYTHON_TYPES = {
    "number": (int, float),
    "Scalar": (int, float),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "str": (str,),
}


def type_matches(signature_type, argument_type):
    """True if a value of a Python type fits a schema's type such as `Optional[List[int]]`."""
    import torch

    if signature_type.startswith("Optional["):
        return argument_type is type(None) or type_matches(signature_type[9:-1], argument_type)
    if signature_type.startswith("List["):
        element, items = signature_type[5:-1], typing.get_args(argument_type)
        if argument_type is int and element == "int":
            return True
        return typing.get_origin(argument_type) in (list, tuple) and all(
            t is Ellipsis or type_matches(element, t) for t in items
        )
    if signature_type == "Tensor":
        return inspect.isclass(argument_type) and issubclass(argument_type, torch.Tensor)
    return argument_type in _PYTHON_TYPES.get(signature_type, (int,) if argument_type is int else (torch.dtype,))


def _fits_types(signature, arg_types, kwarg_types):
    try:
        bound = signature.bind(*(arg_types or ()), **(kwarg_types or {}))
    except TypeError:
        return False
    return all(type_matches(signature.parameters[name].annotation, kind) for name, kind in bound.arguments.items())


def _fits(signature, args, kwargs):
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def normalize_function(target, args, kwargs=None, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
    """The call's arguments with all defaults; None if no signature fits."""
    kwargs = kwargs or {}
    if not isinstance(target, OpOverload):  # an operator of a dialect wraps one
        target = getattr(target, "_op", target)
    signatures = get_signature_for_torch_op(target)
    if signatures is None:
        signature = inspect.signature(inspect.unwrap(target))
        fitting = [signature]
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        if any(p.kind not in named for p in signature.parameters.values()):
            return None
    else:
        fitting = [s for s in signatures if _fits(s, args, kwargs)]
    if not fitting:
        return None
    if len(fitting) > 1 and (arg_types is not None or kwarg_types is not None):
        fitting = [s for s in signatures if _fits_types(s, arg_types, kwarg_types)][:1]
        if not fitting:
            return None
    if len(fitting) > 1:
        import torch

        known = "\n".join(map(str, fitting))
        raise RuntimeError(
            f"Tried to normalize arguments to {torch.typename(target)} but the schema match was ambiguous! Please provide argument types to "
            f"the normalize_arguments() call. Available schemas:\n{known}"
        )
    return _normalized(fitting[0], args, kwargs, normalize_to_only_use_kwargs)


def normalize_module(root, target, args, kwargs=None, normalize_to_only_use_kwargs=False):
    """The arguments of a module of torch.nn with all defaults of its forward; None for another module."""
    import torch

    try:
        module = root.get_submodule(target)
    except AttributeError as e:
        raise RuntimeError(f"Tried to normalize node with target {target} but root did not have that target!") from e
    kind = type(module)
    if getattr(torch.nn, kind.__name__, None) is not kind:
        return None
    return _normalized(
        inspect.signature(inspect.unwrap(module.forward)), args, kwargs or {}, normalize_to_only_use_kwargs
    )


def _normalized(signature, args, kwargs, only_kwargs):
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    names = list(signature.parameters)
    positional = 0 if only_kwargs else len(args)
    by_name = {n: bound.arguments[n] for n in names[positional:]}
    return ArgsKwargsPair(tuple(bound.arguments[n] for n in names[:positional]), by_name)


def __getattr__(name):
    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
