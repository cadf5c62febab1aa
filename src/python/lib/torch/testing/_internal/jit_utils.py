"""torch.testing._internal.jit_utils: the base class of the tests of TorchScript and of torch.fx."""

from _fusescope import partial_modules as _partial

from .common_utils import TestCase


class JitTestCase(TestCase):
    pass


__getattr__ = _partial.of_pytorch(__name__, listed=False)
