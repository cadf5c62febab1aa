"""torch._functorch: its configuration, and parts of its modules; the rest is stubbed."""

import importlib
import importlib.machinery

from _fusescope import stubs


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if importlib.machinery.PathFinder.find_spec(f"{__name__}.{name}", __path__):  # noqa: F821
        return importlib.import_module(f"{__name__}.{name}")
    return stubs.missing(__name__, name)
