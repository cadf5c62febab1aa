"""torch.amp: autocast; gradients are not scaled."""

from _fusescope import partial_modules as _partial

from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available  # noqa: F401

__getattr__ = _partial.of_pytorch(__name__, listed=False)
