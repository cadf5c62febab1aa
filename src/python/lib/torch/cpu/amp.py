"""torch.cpu.amp."""

from _fusescope import partial_modules as _partial
from torch import bfloat16
from torch.amp import autocast_mode


class autocast(autocast_mode.autocast):
    def __init__(self, enabled=True, dtype=bfloat16, cache_enabled=True):
        super().__init__("cpu", dtype, enabled, cache_enabled)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
