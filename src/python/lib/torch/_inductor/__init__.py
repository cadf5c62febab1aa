"""torch._inductor: the pattern matcher and its configuration."""

from _fusescope import partial_modules as _partial
from . import config  # noqa: F401


__getattr__ = _partial.of_pytorch(__name__)
