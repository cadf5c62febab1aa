"""torch.utils._python_dispatch: no mode is ever active, and tensors of a graph wrap no others."""

import contextlib

from _fusescope import partial_modules as _partial

TorchDispatchMode = _partial.refused(
    f"{__name__}.TorchDispatchMode", reason="operators of a trace are recorded, not dispatched to modes"
)


@contextlib.contextmanager
def _disable_current_modes():
    yield []


def is_in_torch_dispatch_mode(include_infra_modes=True):
    return False


def is_traceable_wrapper_subclass(t):
    """True for an object of a user's class of tensors that flattens into others."""
    return all(hasattr(type(t), name) for name in ("__tensor_flatten__", "__tensor_unflatten__"))


__getattr__ = _partial.of_pytorch(__name__, listed=False)
