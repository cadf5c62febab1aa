"""torch.nn.utils.parametrize: whether a parameter is computed from others. Nothing is parametrized here."""

import contextlib

from _fusescope import partial_modules as _partial
from torch import nn


@contextlib.contextmanager
def cached():
    yield


def is_parametrized(module, tensor_name=None):
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, nn.ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


__getattr__ = _partial.of_pytorch(__name__, listed=False)
