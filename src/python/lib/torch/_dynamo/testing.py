"""torch._dynamo.testing: tensors of a size and strides."""

import torch
from _fusescope import partial_modules as _partial


def rand_strided(size, stride, dtype=torch.float32, device="cpu", extra_size=0):
    return torch.empty_strided(size, stride, dtype=dtype, device=device)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
