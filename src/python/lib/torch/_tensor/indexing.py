"""x[…], dispatched like torch's python_variable_indexing: select, slice, unsqueeze, index."""

import contextlib

from _fusescope import bridge

from .._factories import tensor
from .._types import SymInt
from . import Tensor
from .late_functions import later

_INT64_MAX = 9223372036854775807
_whole = False


@contextlib.contextmanager
def whole_index():
    """TransformGetItemToIndex: an index of tensors alone is one call of aten.index, which reads no number."""
    global _whole
    before, _whole = _whole, True
    try:
        yield
    finally:
        _whole = before


def getitem(x, index):
    if _whole and all(isinstance(t, Tensor) for t in (index if isinstance(index, tuple) else (index,))):
        return bridge.op("aten.index.Tensor", (x, list(index) if isinstance(index, tuple) else [index]), {})
    if not isinstance(index, tuple):
        # A single plain index takes a fast path, which slices even if nothing is cut off.
        if index is Ellipsis:
            return bridge.op("aten.alias.default", (x,), {})
        if isinstance(index, slice):
            _needs_dimension(x)
            return _slice(x, 0, index, always=True)
    made, tensors = _views(x, index)
    if tensors:
        # The number of elements that a mask selects depends on data; writing through a mask keeps the shape.
        if any(t is not None and t.dtype._name == "bool" and t._value is None for t in tensors):
            raise bridge.exception("DynamicOutputShapeException", "aten.nonzero.default")
        return bridge.op("aten.index.Tensor", (made, tensors), {})
    return bridge.op("aten.alias.default", (x,), {}) if made is x else made


def setitem(x, index, value):
    if not isinstance(value, Tensor):
        value = tensor(value, dtype=x.dtype, device=x.device)
    if index is Ellipsis:
        part, tensors = x, []
    elif isinstance(index, bool):  # a view of one element, or nothing is written
        part, tensors = bridge.op("aten.unsqueeze.default", (x, 0), {}), []
        if not index:
            return
    else:
        part, tensors = _views(x, index)
    if tensors:
        bridge.op("aten.index_put_.default", (part, tensors, value), {})
    else:
        _copy_to(part, value)


def _copy_to(part, value):
    """As at::indexing::copy_to: leading sizes of 1 are dropped from the value (slicePrefix1sSize), which is then expanded."""
    shape = list(value.shape)
    _compare_sizes(part, shape)
    if shape == list(part.shape):
        bridge.op("aten.copy_.default", (part, value), {})
    elif not shape and (value._value is not None or value.device.type == "cpu"):
        bridge.op("aten.fill_.Tensor", (part, value), {})
    else:
        ones = next((i for i, size in enumerate(shape) if not _is(size, 1)), len(shape))
        if ones > 0:
            value = bridge.op("aten.view.default", (value, shape[ones:]), {})
        if shape[ones:] != list(part.shape):
            value = bridge.op("aten.expand.default", (value, list(part.shape)), {})
        bridge.op("aten.copy_.default", (part, value), {})


def _compare_sizes(part, shape):
    """Sizes that the comparison of the shapes reads: in order, until two differ. Reading a symbolic one records a node."""
    if len(shape) != part.ndim:
        return
    for dim, (size, other) in enumerate(zip(part.shape, shape)):
        if isinstance(size, SymInt):
            bridge.op("aten.sym_size.int", (part, dim), {})
        if not (isinstance(size, int) and isinstance(other, int) and size == other):
            return


def _views(x, index):
    """The view for ints, slices, None and Ellipsis, and the remaining index tensors."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if not isinstance(index, tuple) and isinstance(index, list):
        parts = [index]
    if not isinstance(index, tuple):
        if isinstance(index, slice):
            _needs_dimension(x)
        elif isinstance(index, int) and not isinstance(index, bool):
            _check_bounds(x, 0, index)
    if _needed(parts) > x.ndim:
        raise IndexError(f"too many indices for tensor of dimension {x.ndim}")
    tensors, dim, first = [], 0, x
    for i, part in enumerate(parts):
        if part is Ellipsis:
            dim += first.ndim - _needed(parts)
        elif part is None:
            x = bridge.op("aten.unsqueeze.default", (x, dim), {})
            dim += 1
        elif isinstance(part, bool):
            x = bridge.op("aten.unsqueeze.default", (x, dim), {})
            tensors += [None] * (dim - len(tensors)) + [_flag(x, part)]
            dim += 1
        elif isinstance(part, slice):
            x = _slice(x, dim, part)
            dim += 1
        elif isinstance(part, (int, SymInt)):
            part = _read(part)
            _check_bounds(x, dim, part)
            x = bridge.op("aten.select.int", (x, dim, part), {})
        else:
            tensor = _index_tensor(part)
            if tensor.ndim == 0 and tensor._value is None:  # C++ reads the number
                raise bridge.exception("DataDependentOutputException", "aten._local_scalar_dense.default")
            tensors += [None] * (dim - len(tensors)) + [tensor]
            dim += tensor.ndim if tensor.dtype._name == "bool" and tensor.ndim > 0 else 1
    return x, tensors


def _read(index):
    """C++ reads an index as a number; a size whose hint the environment does not give stays symbolic."""
    if isinstance(index, SymInt) and (hint := index._hint()) is not None:
        return hint
    return index


def _needed(parts):
    """Number of dimensions that the indices consume; a boolean mask consumes as many as it has."""
    count = 0
    for p in parts:
        if p is None or p is Ellipsis or isinstance(p, bool):
            continue
        count += p.ndim if isinstance(p, Tensor) and p.dtype._name == "bool" else 1
    return count


def _needs_dimension(x):
    if x.ndim == 0:
        raise RuntimeError("slice() cannot be applied to a 0-dim tensor.")


def _check_bounds(x, dim, index):
    if x.ndim == 0 and _is(index, 0):
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
            "to convert a 0-dim tensor to a number"
        )
    size = x.shape[dim] if x.ndim > 0 else 0
    if isinstance(size, int) and isinstance(index, int) and not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")


def _slice(x, dim, part, always=False):
    start = 0 if part.start is None else _plain(part.start)
    stop = _INT64_MAX if part.stop is None else _plain(part.stop)
    step = 1 if part.step is None else _plain(part.step)
    if _is(step, 0):
        raise ValueError("slice step cannot be zero")
    if isinstance(step, int) and step < 0:
        raise ValueError("step must be greater than zero")
    if not always and _is(start, 0) and _is(step, 1) and _covers(stop, x.shape[dim]):
        return x
    return bridge.op("aten.slice.Tensor", (x, dim, start, stop, step), {})


def _is(value, number):
    return isinstance(value, int) and value == number


def _covers(stop, size):
    if isinstance(stop, SymInt) or isinstance(size, SymInt):
        return isinstance(stop, SymInt) and isinstance(size, SymInt) and stop._expr == size._expr
    return size <= stop


def _plain(value):
    """A slice bound: a number within int64, or the value of a constant tensor."""
    plain = int(value) if isinstance(value, Tensor) else value
    if not isinstance(plain, int) or -_INT64_MAX - 1 <= plain <= _INT64_MAX:
        return plain
    return _INT64_MAX if plain > 0 else -(2**62)  # the least number that a SymInt holds inline


def _flag(x, value):
    kwargs = {"dtype": _int64(), "layout": x.layout, "device": x.device}
    made = bridge.op("aten.empty.memory_format", ([1 if value else 0],), kwargs)
    return bridge.op("aten.fill_.Scalar", (made, 0.0), {}) if value else made


def _int64():
    from .._types import dtype

    return dtype.named("int64")


def _index_tensor(part):
    if isinstance(part, Tensor):
        return part
    if not isinstance(part, (list, tuple, range)):
        if isinstance(part, str):
            raise TypeError("new(): invalid data type 'str'")
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
            f"(got {type(part).__name__})"
        )
    return tensor(list(part))


later["getitem"], later["setitem"] = getitem, setitem
