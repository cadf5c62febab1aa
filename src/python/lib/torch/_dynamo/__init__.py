"""torch._dynamo: the names that passes use. Nothing is compiled."""

from _fusescope import stubs

from .backends.registry import list_backends, lookup_backend, register_backend  # noqa: F401


def is_compiling():
    return False


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
