from .fake_tensor import FakeTensor, FakeTensorMode  # noqa: F401
