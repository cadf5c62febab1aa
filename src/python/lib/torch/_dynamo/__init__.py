"""torch._dynamo: the names that passes use. Nothing is compiled."""

from _fusescope import partial_modules as _partial

from .backends.registry import list_backends, lookup_backend, register_backend  # noqa: F401


def is_compiling():
    return False


__getattr__ = _partial.of_pytorch(__name__, listed=False)
