"""torch._prims_common: helpers about shapes, strides and dimensions."""

import functools
import operator

import torch
from torch._types import SymInt

from .dtypes import *  # noqa: F401,F403
from .dtypes import Number  # noqa: F401

TensorLike = torch.Tensor
TensorLikeType = ShapeType = StrideType = DimsType = DimsSequenceType = NumberType = DeviceLikeType = object
Dim, IntLike, FloatLike, BoolLike = int, (int, SymInt), (float,), (bool,)
check = torch._check


def is_expandable_to(shape, desired):
    if len(shape) > len(desired):
        return False
    return all(a == b or a == 1 for a, b in zip(reversed(shape), reversed(desired)))


def same_shape(a, b, *, allow_rhs_unbacked=False):
    return len(a) == len(b) and all(x == y for x, y in zip(a, b))


def is_same_shape(a, b):
    return same_shape(a, b)


def is_valid_permutation(rank, perm):
    return isinstance(perm, (list, tuple)) and sorted(perm) == list(range(rank))


def is_cpu_scalar_tensor(a):
    return isinstance(a, torch.Tensor) and a.ndim == 0 and a.device.type == "cpu"


def canonicalize_dim(rank, idx, wrap_scalar=True):
    if rank < 0:
        raise IndexError(f"Rank cannot be negative but got {rank}")
    if rank == 0:
        if not wrap_scalar:
            raise IndexError(f"Dimension specified as {idx} but tensor has no dimensions")
        rank = 1
    wrapped = idx + rank if idx < 0 else idx
    if not 0 <= wrapped < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {idx})")
    return wrapped


def canonicalize_dims(rank, indices, wrap_scalar=True):
    if isinstance(indices, int):
        return canonicalize_dim(rank, indices, wrap_scalar)
    return tuple(canonicalize_dim(rank, i, wrap_scalar) for i in indices)


def canonicalize_device(device):
    return torch.device(device)


def device_or_default(device):
    return torch.device("cpu") if device is None else device


def layout_or_default(layout):
    return torch.strided if layout is None else layout


def prod(xs):
    return functools.reduce(operator.mul, xs, 1)


def apply_perm(inp, perm):
    return [inp[p] for p in perm]


def invert_perm(perm):
    inverted = [-1] * len(perm)
    for i, p in enumerate(perm):
        inverted[p] = i
    return inverted


def infer_size_shapes(a, b):
    rank = max(len(a), len(b))
    left, right = (1,) * (rank - len(a)) + tuple(a), (1,) * (rank - len(b)) + tuple(b)
    for i in reversed(range(rank)):
        x, y = left[i], right[i]
        torch._check(
            x == y or x == 1 or y == 1,
            lambda: f"The size of tensor a ({x}) must match the size of tensor b ({y}) at non-jagged dimension {i}",
        )
    return tuple(y if x == 1 else x for x, y in zip(left, right))


def infer_size(shape, numel):
    """The shape with its one -1 computed."""
    shape, inferred = list(shape), [i for i, d in enumerate(shape) if d == -1]
    torch._check(len(inferred) < 2, lambda: "only one dimension can be inferred")
    for d in shape:
        torch._check(
            d == -1 or d >= 0,
            lambda: (
                f"invalid shape dimension {d}. If this was symbolic, it was assumed to not be -1.If this was meant to be inferred, please explicitly pass in -1."
            ),
        )
    known = prod([d for d in shape if d != -1])
    fits = known != 0 if inferred else numel == known
    torch._check(fits, lambda: f"shape '{shape}' is invalid for input of size {numel}")
    for i in inferred:
        shape[i] = numel // known
    return tuple(shape)


def validate_no_repeating_dims(dims):
    if len(set(dims)) != len(dims):
        raise RuntimeError("duplicate value in the list of dims")


def reduction_dims(shape, dims):
    if dims is None:
        return tuple(range(len(shape)))
    dims = tuple(canonicalize_dim(len(shape), i) for i in dims)
    validate_no_repeating_dims(dims)
    return dims


def compute_reduction_output_shape(shape, dimensions):
    return tuple(d for i, d in enumerate(shape) if i not in dimensions)


def _strides_in(shape, order):
    """Strides of a dense tensor with the dimensions in this order, innermost first."""
    strides, step = [0] * len(shape), 1
    for i in order:
        strides[i] = step
        step = step * (shape[i] if isinstance(shape[i], SymInt) else max(shape[i], 1))
    return tuple(strides)


def make_contiguous_strides_for(shape, row_major=True):
    strides = _strides_in(shape, range(len(shape) - 1, -1, -1))
    if row_major or len(shape) < 2:
        return strides
    return (*strides[:-2], 1, max(shape[-2], 1))


def make_channels_last_2d_strides_for(shape):
    torch._check(len(shape) == 4, lambda: "Only tensors of rank 4 can use the channels_last memory format")
    return _strides_in(shape, (1, 3, 2, 0))


def make_channels_last_3d_strides_for(shape):
    torch._check(len(shape) == 5, lambda: "Only tensors of rank 5 can use the channels_last_3d memory format")
    return _strides_in(shape, (1, 4, 3, 2, 0))


def make_channels_last_strides_for(shape):
    if len(shape) == 4:
        return make_channels_last_2d_strides_for(shape)
    if len(shape) == 5:
        return make_channels_last_3d_strides_for(shape)
    raise RuntimeError(f"no channels last format strides exist in {len(shape)} dimensions")


def is_contiguous(a, false_if_dde=False):
    return a.is_contiguous()


def is_channels_last_contiguous_2d(a, false_if_dde=False):
    return a.is_contiguous(memory_format=torch.channels_last)


def is_channels_last_contiguous_3d(a, false_if_dde=False):
    return a.is_contiguous(memory_format=torch.channels_last_3d)


def is_channels_last_contiguous(a):
    return is_channels_last_contiguous_2d(a) or is_channels_last_contiguous_3d(a)


def is_contiguous_for_memory_format(a, *, memory_format, false_if_dde=False):
    return a.is_contiguous(memory_format=memory_format)


is_contiguous_or_false, is_channels_last_contiguous_or_false = is_contiguous, is_channels_last_contiguous
is_contiguous_for_memory_format_or_false = is_contiguous_for_memory_format


def is_non_overlapping_and_dense_or_false(a):
    expected = 1
    for stride, size in sorted((s, d) for s, d in zip(a.stride(), a.shape) if d != 1):
        if stride != expected:
            return False
        expected = expected * size
    return True


def suggest_memory_format(x):
    if x.ndim in (4, 5):
        last = torch.channels_last if x.ndim == 4 else torch.channels_last_3d
        if _like_channels_last(x.shape, x.stride()):
            return last
    return torch.contiguous_format


def _like_channels_last(shape, strides):
    """c10's is_channels_last_strides: dimensions in the order C, W, H[, D], N, each stride at least the extent below it."""
    if strides[1] == 0:
        return False
    least = 0
    for d in (1, *range(len(shape) - 1, 1, -1), 0):
        if shape[d] == 0 or strides[d] < least or (d == 0 and least == strides[1]):
            return False
        least = strides[d] * (shape[d] if shape[d] > 1 else 1)
    return True


def check_same_device(*args, allow_cpu_scalar_tensors):
    device = None
    for arg in (a for a in args if isinstance(a, torch.Tensor)):
        if allow_cpu_scalar_tensors and is_cpu_scalar_tensor(arg):
            continue
        device = device or arg.device
        if device != arg.device:
            raise RuntimeError(f"Tensor on device {arg.device} is not on the expected device {device}!")


def check_same_shape(*args, allow_cpu_scalar_tensors):
    shape = None
    for arg in (a for a in args if isinstance(a, torch.Tensor)):
        if allow_cpu_scalar_tensors and is_cpu_scalar_tensor(arg):
            continue
        shape = arg.shape if shape is None else shape
        if not same_shape(shape, arg.shape):
            raise RuntimeError(f"Shape {arg.shape} is not the expected shape {shape}!")


def extract_shape_from_varargs(shape, validate=True):
    return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else tuple(shape)


def compute_required_storage_length(shape, strides, storage_offset):
    if 0 in shape:
        return 0
    return 1 + sum((d - 1) * s for d, s in zip(shape, strides)) + storage_offset


def __getattr__(name):
    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
