"""Methods of tensors in a TorchFunctionMode: each asks for the mode first. Installed when the first mode is entered."""

import functools
import types

from .. import overrides
from . import Tensor
from .conversions import Conversions
from .metadata import Metadata
from .signs import _SIGNS, Signs
from .values import Values
from .views import Views


def _asking(method, shown):
    """The method, called through the innermost mode as the function `shown`."""

    @functools.wraps(method)
    def asks(*args, **kwargs):
        mode = overrides._get_current_function_mode()
        return method(*args, **kwargs) if mode is None else overrides.handled(shown or asks, args, kwargs, mode)

    return asks


def _install():
    for base in (Conversions, Metadata, Values, Views):
        for name, method in list(vars(base).items()):
            if isinstance(method, types.FunctionType) and not name.startswith("_"):
                setattr(base, name, _asking(method, None))
    for name, method in list(vars(Signs).items()):
        if isinstance(method, types.FunctionType):
            # x + y is Tensor.add, and x - 1 with the number first Tensor.__rsub__.
            of = _SIGNS.get(name.strip("_"))
            setattr(Signs, name, _asking(method, getattr(Tensor, of, None) if of and not of.startswith("_") else None))


_install()
