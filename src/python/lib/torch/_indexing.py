"""x[...] as torch's python_variable_indexing dispatches it: select, slice, unsqueeze, index."""
from _fusescope import bridge

from ._tensor import _INT64_MAX, Tensor
from ._types import SymInt


def getitem(x, index):
    parts = list(index) if isinstance(index, tuple) else [index]
    taken = sum(1 for p in parts if p is not None and p is not Ellipsis and not isinstance(p, bool))
    if taken > x.ndim:
        raise IndexError("too many indices for tensor of dimension %d" % x.ndim)
    tensors, dim = [], 0
    for part in parts:
        if part is Ellipsis:
            dim += x.ndim - dim - _needed(parts[parts.index(Ellipsis) + 1:])
        elif part is None:
            x = bridge.op("aten.unsqueeze.default", (x, dim), {})
            dim += 1
        elif isinstance(part, slice):
            x = _slice(x, dim, part)
            dim += 1
        elif isinstance(part, (int, SymInt)) and not isinstance(part, bool):
            x = bridge.op("aten.select.int", (x, dim, part), {})
        else:
            tensors += [None] * (dim - len(tensors)) + [_index_tensor(part)]
            dim += 1
    return bridge.op("aten.index.Tensor", (x, tensors), {}) if tensors else x


def setitem(x, index, value):
    part = getitem(x, index) if index is not Ellipsis else x
    if isinstance(value, Tensor):
        bridge.op("aten.copy_.default", (part, value), {})
    else:
        bridge.op("aten.fill_.Scalar", (part, value), {})


def _needed(parts):
    return sum(1 for p in parts if p is not None and p is not Ellipsis)


def _slice(x, dim, part):
    if part.start is None and part.stop is None and part.step in (None, 1):
        return x
    start = 0 if part.start is None else part.start
    stop = _INT64_MAX if part.stop is None else part.stop
    args = (x, dim, start, stop) if part.step in (None, 1) else (x, dim, start, stop, part.step)
    return bridge.op("aten.slice.Tensor", args, {})


def _index_tensor(part):
    if isinstance(part, Tensor):
        return part
    from ._factories import tensor

    return tensor(part)
