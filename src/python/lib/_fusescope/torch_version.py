"""The PyTorch that the environment simulates: what user code meets of an older one (docs/versions.md)."""

import functools
import importlib
import sys
from collections.abc import Callable

from . import environment, frames

# The versions of src/base/torch_version.ts, as torch.__version__ says them.
_RELEASES = {"2.6": "2.6.0", "2.13": "2.13.0", "2.14": "2.14.1"}


# Version, module, and names that it did not have before.
_ADDED = [
    ("2.14", "torch._inductor.pattern_matcher", "GetAttr"),
    ("2.13", "torch._inductor.pattern_matcher", "gen_pattern_and_search_gm check_and_add_duplicate_pattern"),
    ("2.13", "torch.fx.experimental.symbolic_shapes", "guard_or_false guard_or_true sym_and sym_or"),
]


def is_since(version: str) -> bool:
    """True if the simulated PyTorch is this version or newer."""
    return _number(environment.torch_version()) >= _number(version)


def _number(version):
    return tuple(map(int, version.split(".")))


def assertion(text: str) -> AssertionError:
    """An assertion, whose text PyTorch 2.14 brought."""
    return AssertionError(text if is_since("2.14") else "")


def begin() -> None:
    """Gives torch.__version__ the version of this run."""
    import torch
    from torch.torch_version import TorchVersion

    text = f"{_RELEASES[environment.torch_version()]}+fusescope"
    torch.version.__version__ = text
    torch.__version__ = torch.torch_version.__version__ = TorchVersion(text)
    for version, module, names in _ADDED:
        if not is_since(version):
            _without(importlib.import_module(module), names.split())


def _without(module, names):
    """Hides names of a module from user code, so that importing one raises as Python does."""
    kind = type(module)

    class Older(kind):
        def __getattribute__(self, name):
            if name in names and sys._getframe(1).f_code.co_filename.startswith(frames.WORKSPACE):
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
            return kind.__getattribute__(self, name)

        def __getattr__(self, name):
            # Python tries this next, and the module's own __getattr__ would answer for a hidden name.
            found = self.__dict__.get("__getattr__")
            if name in names or found is None:
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
            return found(name)

    module.__class__ = Older


def parameters_since(version: str, *names: str) -> Callable:
    """A function whose parameters of these names came with a version: an older PyTorch refuses them as Python does."""

    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            if not is_since(version):
                for name in kwargs:
                    if name in names:
                        raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}")
            return function(*args, **kwargs)

        return call

    return decorate
