"""torch.nn.attention: the backends by name; a choice of them changes no graph here."""

import contextlib
import enum

from _fusescope import partial_modules as _partial


class SDPBackend(enum.IntEnum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    __str__ = enum.Enum.__str__


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    yield


__getattr__ = _partial.of_pytorch(__name__, listed=False)
