"""torch.cat, torch.stack and other functions that join tensors, under their Python signatures."""

from _fusescope import bridge

from ._tensor import Tensor
from ._types import type_name


def cat(tensors, dim=0, *, out=None, axis=None):
    dim = dim if axis is None else axis
    return _joined("cat", tensors, dim, out)


def stack(tensors, dim=0, *, out=None):
    return _joined("stack", tensors, dim, out)


def _joined(name, tensors, dim, out):
    overload, kwargs = ("default", {}) if out is None else ("out", {"out": out})
    return bridge.op(f"aten.{name}.{overload}", (_tensors(name, tensors), dim), kwargs)


def _tensors(name, given):
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type_name(given)}")
    for i, value in enumerate(given):
        if not isinstance(value, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(value).__name__}")
    return list(given)


def hstack(tensors):
    tensors = [bridge.op("aten.atleast_1d.default", (t,), {}) for t in tensors]
    return cat(tensors, 0 if tensors[0].ndim == 1 else 1)


def vstack(tensors):
    return cat([bridge.op("aten.atleast_2d.default", (t,), {}) for t in tensors], 0)


def column_stack(tensors, *, out=None):
    return bridge.op("aten.column_stack.default", (list(tensors),), {})


def dstack(tensors, *, out=None):
    return bridge.op("aten.dstack.default", (list(tensors),), {})


def block_diag(*tensors):
    return bridge.op("aten.block_diag.default", (list(tensors),), {})


def meshgrid(*tensors, indexing=None):
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    return tuple(bridge.op("aten.meshgrid.indexing", (list(tensors),), {"indexing": indexing or "ij"}))


def cartesian_prod(*tensors):
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    return bridge.op("aten.cartesian_prod.default", (list(tensors),), {})
