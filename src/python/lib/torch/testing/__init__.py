"""torch.testing: the base classes of PyTorch's own tests (_internal); the rest is stubbed."""

from _fusescope import partial_modules as _partial

__getattr__ = _partial.of_pytorch(__name__, listed=False)
