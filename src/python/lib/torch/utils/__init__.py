"""torch.utils: the pytree functions."""

from _fusescope import partial_modules as _partial


__getattr__ = _partial.of_pytorch(__name__)
