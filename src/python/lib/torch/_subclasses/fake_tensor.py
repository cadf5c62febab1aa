"""FakeTensorMode, a context manager without effect, because every tensor is fake."""
from torch._tensor import Tensor


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


def unset_fake_temporarily():
    return FakeTensorMode()
