"""torch.functional: the functions of torch that PyTorch writes in Python."""

from . import _homes


def __getattr__(name):
    import torch

    if name not in _homes.IN_FUNCTIONAL and name != "istft":
        raise AttributeError(f"module 'torch.functional' has no attribute '{name}'")
    return getattr(torch, name)
