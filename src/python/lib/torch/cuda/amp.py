"""torch.cuda.amp."""

from _fusescope import partial_modules as _partial
from torch import float16
from torch.amp import autocast_mode


class autocast(autocast_mode.autocast):
    def __init__(self, enabled=True, dtype=float16, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
