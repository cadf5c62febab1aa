"""torch._inductor.decomposition: Inductor's table of decompositions, whose functions the tracer owns."""

import functools

from _fusescope import partial_modules as _partial
from torch import _decomp
from torch._decomp import core_aten_decompositions, get_decompositions, remove_decompositions  # noqa: F401


@functools.cache
def _table():
    return _decomp.inductor_table()


def select_decomp_table():
    return _table()


def register_decomposition(ops):
    """Adds a function to Inductor's table."""
    return _decomp.register_decomposition(ops, _table())


def number(get_decomp_fn):
    """The engine's number of the table that get_decomp_fn returns; None for Inductor's own."""
    if get_decomp_fn is None or get_decomp_fn is select_decomp_table and not _table.cache_info().currsize:
        return None
    return _decomp.number(get_decomp_fn())


def __getattr__(name):
    if name in ("decompositions", "inductor_decompositions"):
        return _table()
    return _names(name)


_names = _partial.of_pytorch(__name__)
