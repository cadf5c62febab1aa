"""torch._dynamo: the names that passes use. Nothing is compiled."""
from _fusescope import stubs


def is_compiling():
    return False


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
