"""torch.fx.graph's names."""
from _fusescope import partial_modules as _partial
from _fusescope.graph.graph import Graph  # noqa: F401
from torch._types import _DTYPES

_KINDS = (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c"))


def _short(name):
    long, letter = next(((long, letter) for long, letter in _KINDS if name.startswith(long)), (name, name))
    return "b8" if name == "bool" else letter + name.removeprefix(long).replace("_", "")


dtype_abbrs = {dtype: _short(name) for name, dtype in _DTYPES.items()}


__getattr__ = _partial.of_pytorch(__name__)
