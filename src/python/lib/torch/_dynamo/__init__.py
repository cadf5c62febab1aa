"""torch._dynamo: what passes ask of it. Nothing is compiled here."""
from _fusescope import stubs


def is_compiling():
    return False


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
