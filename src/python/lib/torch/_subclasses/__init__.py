from _fusescope import partial_modules as _partial
from .fake_tensor import FakeTensor, FakeTensorMode  # noqa: F401


__getattr__ = _partial.of_pytorch(__name__)
