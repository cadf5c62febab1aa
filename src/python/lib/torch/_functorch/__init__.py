"""torch._functorch: its configuration."""
from _fusescope import stubs


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
