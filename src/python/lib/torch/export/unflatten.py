"""torch.export.unflatten: attributes by their paths; a program is not unflattened into modules."""

import enum

import torch
from _fusescope import partial_modules as _partial


class _AttrKind(enum.Enum):
    PARAMETER = "parameter"
    BUFFER = "buffer"
    CONSTANT = "constant"
    MODULE = "module"


def _assign_attr(from_obj, to_module, target, attr_kind, persistent=True):
    """Sets `a.b.name` and makes the modules on the way."""
    *path, name = target.split(".")
    for item in path:
        if not hasattr(to_module, item):
            setattr(to_module, item, torch.nn.Module())
        to_module = getattr(to_module, item)
    if attr_kind is _AttrKind.PARAMETER:
        to_module.register_parameter(name, from_obj)
    elif attr_kind is _AttrKind.BUFFER:
        to_module.register_buffer(name, from_obj, persistent=persistent)
    else:
        setattr(to_module, name, from_obj)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
