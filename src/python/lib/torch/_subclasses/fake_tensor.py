"""FakeTensorMode, a context manager without effect, because every tensor is fake."""

from _fusescope import partial_modules as _partial
from torch._tensor import Tensor
from torch._tensor.late_functions import later


class FakeTensorMode:
    def __init__(self, *args, **kwargs):
        self.allow_non_fake_inputs = kwargs.get("allow_non_fake_inputs", False)
        self.shape_env = kwargs.get("shape_env")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    def from_tensor(self, tensor, *args, **kwargs):
        return tensor


FakeTensor = Tensor
_mode = later["fake_mode"] = FakeTensorMode()  # of all tensors: passes compare it by identity


def is_fake(x):
    return isinstance(x, Tensor)


is_fake_tensor = is_fake


FakeTensorConverter = _partial.refused(f"{__name__}.FakeTensorConverter", reason="every tensor is fake")


class DataDependentOutputException(RuntimeError):
    def __init__(self, func=None):
        self.func = func


class DynamicOutputShapeException(DataDependentOutputException):
    pass


class UnsupportedOperatorException(DataDependentOutputException):
    pass


def unset_fake_temporarily():
    return FakeTensorMode()


def maybe_get_fake_mode(t):
    return _mode if isinstance(t, Tensor) else None


def __getattr__(name):
    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
