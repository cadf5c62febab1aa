"""torch.cpu: `amp`; the rest is stubbed."""

from _fusescope import partial_modules as _partial

__getattr__ = _partial.of_pytorch(__name__, listed=False)
