"""torch.func.functional_call: a module runs once with other parameters and buffers."""

import contextlib

from torch._tensor import Tensor

_MISSING = object()


def _owner(module, name):
    """The module that holds `a.b.weight`, and the name there."""
    path, _, own = name.rpartition(".")
    return module.get_submodule(path), own


def _swap(owner, name, value):
    """Puts `value` in the place of a parameter or buffer, whatever its class."""
    for table in (owner._parameters, owner._buffers, owner.__dict__):
        if name in table:
            old, table[name] = table[name], value
            if value is _MISSING:
                del table[name]
            return old
    owner.__dict__[name] = value
    return _MISSING


@contextlib.contextmanager
def _reparametrize_module(module, parameters_and_buffers, tie_weights=False, strict=False, stack_weights=False):
    own = {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }
    given = dict(parameters_and_buffers)
    if tie_weights:
        for name, value in parameters_and_buffers.items():
            for other, tensor in own.items():
                if name in own and tensor is own[name]:
                    given.setdefault(other, value)
    if strict:
        lines = [
            f"{kind} key(s): {', '.join(map(repr, names))}."
            for kind, names in (
                ("Unexpected", [k for k in given if k not in own]),
                ("Missing", [k for k in own if k not in given]),
            )
            if names
        ]
        if lines:
            raise RuntimeError(
                "Error(s) in reparametrizing for {}:\n\t{}".format(module._get_name(), "\n\t".join(lines))
            )
    for name, value in given.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
    old = {}
    try:
        for name, value in given.items():
            old[name] = _swap(*_owner(module, name), value)
        yield
    finally:
        for name, value in old.items():
            made = _swap(*_owner(module, name), value)
            if name in parameters_and_buffers:
                parameters_and_buffers[name] = made


def _functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    given = () if args is None else args if isinstance(args, tuple) else (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights, strict):
        return module(*given, **(kwargs or {}))


functional_call = _functional_call
