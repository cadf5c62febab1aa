"""torch.<name>(…): dispatches to aten; functions whose Python form differs are written out.

Reason for length: the names of one module of PyTorch.
"""

import functools
import math

from _fusescope import bridge

from . import _calls, _homes, _ops, overrides
from ._factories import _keywords, tensor
from ._joining import (  # noqa: F401
    block_diag,
    cartesian_prod,
    cat,
    column_stack,
    dstack,
    hstack,
    meshgrid,
    stack,
    vstack,
)
from ._names import FUNCTIONS
from ._sym_functions import SYM_FUNCTIONS, sym_sqrt  # noqa: F401
from ._tensor import Tensor
from ._types import Size, dtype as DType


of_functional = {}  # the names of torch.nn.functional, which imports this module


@functools.cache
def shared(name):
    """A function that torch and torch.nn.functional share."""
    return dispatching(name)


def lookup(name):
    """The function torch.<name>, or None."""
    special = globals().get(name)
    if callable(special) and getattr(special, "_torch", False):
        return overrides.overridable(special)
    if name.startswith("_foreach_"):
        return _foreach(name)
    if name in _homes.OF_TORCH:
        return of_functional.get(name) or shared(name)
    return dispatching(name) if name in FUNCTIONS else None


def _foreach(name):
    """torch._foreach_add and its like; one that writes returns the list that it was given."""
    if getattr(_ops.ops.aten, name, None) is None:
        return None

    def function(self, *args, **kwargs):
        made = _calls.call(name, (list(self), *args), kwargs)
        return self if name.endswith("_") else made

    function.__name__ = function.__qualname__ = name
    function.__module__ = "torch"
    return function


def dispatching(name, module="torch"):
    """A function that calls the packet aten.NAME."""

    def function(*args, **kwargs):
        if overrides.active and (found := overrides.find(args, kwargs)) is not None:
            return overrides.handled(function, args, kwargs, found)
        return _calls.call(name, args, kwargs)

    settled = _homes.settle(function, module, name)
    settled._of_c = settled.__module__ == "torch" or settled.__module__.startswith("torch._C")
    return settled


def torch_function(fn):
    fn._torch = True
    return _homes.settle(fn, "torch", fn.__name__)


def _alias(name, fn):
    """Another function that does the same: PyTorch's aliases are not identical, so a pattern of one does not match the other."""

    def alias(*args, **kwargs):
        return fn(*args, **kwargs)

    alias.__name__ = name
    return torch_function(alias)


_ = [
    torch_function(fn)
    for fn in (
        *SYM_FUNCTIONS.values(),
        block_diag,
        cartesian_prod,
        cat,
        column_stack,
        dstack,
        hstack,
        meshgrid,
        stack,
        vstack,
    )
]
globals().update(SYM_FUNCTIONS)
concat, concatenate, row_stack = _alias("concat", cat), _alias("concatenate", cat), _alias("row_stack", vstack)


@torch_function
def split(tensor, split_size_or_sections, dim=0):
    return tensor.split(split_size_or_sections, dim)


@torch_function
def chunk(input, chunks, dim=0):
    return input.chunk(chunks, dim)


@torch_function
def unbind(input, dim=0):
    return input.unbind(dim)


@torch_function
def unravel_index(indices, shape):
    shape = [shape] if isinstance(shape, int) else list(shape)
    if any(size < 0 for size in shape):
        raise ValueError(f"'shape' cannot have negative values, but has {tuple(shape)}")
    steps = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    at = indices.unsqueeze(-1).floor_divide(tensor(steps, device=indices.device, dtype=DType.named("int64")))
    return (at % tensor(shape, device=indices.device, dtype=DType.named("int64"))).unbind(-1)


@torch_function
def reshape(input, shape):
    return input.reshape(shape)


@torch_function
def permute(input, dims):
    return input.permute(dims)


@torch_function
def flip(input, dims):
    return input.flip(dims)


@torch_function
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if p == "nuc":
        dims = list(range(input.ndim)) if dim is None else dim
        return bridge.op(
            "aten.linalg_matrix_norm.str_ord", (input, p, dims, keepdim), {} if dtype is None else {"dtype": dtype}
        )
    return input.norm(p, dim, keepdim, dtype)


@torch_function
def searchsorted(*args, **kwargs):
    """Of a number: what its tensor of one element gives."""
    if len(args) < 2 or not isinstance(args[1], (int, float)):
        return _calls.call("searchsorted", args, kwargs)
    one = tensor([args[1]], device=args[0].device)
    return bridge.op("aten.searchsorted.Tensor", (args[0], one, *args[2:]), kwargs)[0]


@torch_function
def bucketize(*args, **kwargs):
    if len(args) < 2 or not isinstance(args[0], (int, float)):
        return _calls.call("bucketize", args, kwargs)
    one = tensor([args[0]], device=args[1].device)
    return bridge.op("aten.bucketize.Tensor", (one, *args[1:]), kwargs).squeeze(0)


@torch_function
def _foreach_lerp(self, tensors1, weight):
    """By one weight: from the nearer end, by a tensor of the weight, with which the operator itself was called before."""
    self, tensors1 = list(self), list(tensors1)
    if not isinstance(weight, (int, float)):
        return _calls.call("_foreach_lerp", (self, tensors1, weight), {})
    tensor(weight, dtype=self[0].dtype)
    ways = bridge.op("aten._foreach_sub.List", (tensors1, self), {})
    one = tensor(weight, dtype=self[0].dtype)
    if abs(weight) >= 0.5:
        self, one = tensors1, -(1.0 - one)
    return bridge.op("aten._foreach_addcmul.Scalar", (self, [one] * len(self), ways), {})


@torch_function
def where(condition, input=None, other=None, *, out=None):
    if input is None:
        return tuple(bridge.op("aten.where.default", (condition,), {}))
    return bridge.op("aten.where", (condition, input, other), {})


@torch_function
def argsort(input, dim=-1, descending=False, stable=None):
    return input.argsort(dim, descending, stable)


@torch_function
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    flags = (sorted, return_inverse, return_counts)
    if dim is not None:
        return bridge.op("aten.unique_dim.default", (input, dim, *flags), {})
    return bridge.op("aten._unique2.default", (input, *flags), {})


@torch_function
def outer(input, vec2):
    return input.outer(vec2)


ger = _alias("ger", outer)


@torch_function
def tensor_split(input, indices_or_sections, dim=0):
    """Slices of at::tensor_split. A constant scalar tensor counts as a number; C++ reads other tensors, which fake ones refuse."""
    if isinstance(indices_or_sections, Tensor):
        if indices_or_sections._value is None or indices_or_sections.ndim > 0:
            raise bridge.exception("DataDependentOutputException", "aten._local_scalar_dense.default")
        indices_or_sections = indices_or_sections.item()
    name = "sections" if isinstance(indices_or_sections, int) else "indices"
    return tuple(bridge.op(f"aten.tensor_split.{name}", (input, indices_or_sections, dim), {}))


@torch_function
def hsplit(input, indices_or_sections):
    return tensor_split(input, indices_or_sections, 0 if input.ndim == 1 else 1)


@torch_function
def vsplit(input, indices_or_sections):
    return tensor_split(input, indices_or_sections, 0)


@torch_function
def numel(input):
    return input.numel()


@torch_function
def is_floating_point(input):
    return input.is_floating_point()


@torch_function
def is_complex(input):
    return input.is_complex()


@torch_function
def is_tensor(obj):
    return isinstance(obj, Tensor)


@torch_function
def is_same_size(a, b):
    return a.shape == b.shape


@torch_function
def is_storage(obj):
    return False


def _subscript(n):
    if n is Ellipsis:
        return "..."
    if not 0 <= n < 52:
        raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return chr(ord("A") + n) if n < 26 else chr(ord("a") + n - 26)


@torch_function
def einsum(*args):
    """torch.einsum: an equation and operands, or operands that each precede the list of their subscripts."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list"
        )
    equation, *operands = args
    if not isinstance(equation, str):
        equation = ",".join("".join(map(_subscript, subscripts)) for subscripts in args[1::2])
        operands = args[: len(args) // 2 * 2 : 2]
        if len(args) % 2 == 1:
            equation += "->" + "".join(map(_subscript, args[-1]))
    elif len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return bridge.op("aten.einsum.default", (equation, list(operands)), {})


@torch_function
def broadcast_tensors(*tensors):
    return tuple(bridge.op("aten.broadcast_tensors.default", (list(tensors),), {}))


@torch_function
def broadcast_shapes(*shapes):
    rank = max((len(s) for s in shapes), default=0)
    out = [1] * rank
    for shape in shapes:
        for i, d in enumerate(reversed(tuple(shape)), 1):
            if d != 1:
                if out[-i] != 1 and out[-i] != d:
                    raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
                out[-i] = d
    return Size(out)


@torch_function
def result_type(a, b):
    return (a + b).dtype


@torch_function
def can_cast(from_, to):
    kind = lambda d: 3 if d.is_complex else 2 if d.is_floating_point else 0 if d._name == "bool" else 1  # noqa: E731
    return kind(from_) <= kind(to)


@torch_function
def tensordot(a, b, dims=2, out=None):
    if isinstance(dims, int):
        over, other = list(range(-dims, 0)), list(range(dims))
    else:
        over, other = ([d] if isinstance(d, int) else list(d) for d in dims)
    return bridge.op("aten.tensordot.default", (a, b, over, other), {})


@torch_function
def chain_matmul(*matrices, out=None):
    return bridge.op("aten.chain_matmul.default", (list(matrices),), {})


@torch_function
def stft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
    return_complex=None,
):
    if center:
        rank = input.dim()
        wide = input.view([1] * (3 - rank) + list(input.size()))
        padded = bridge.op("aten.pad.default", (wide, [n_fft // 2, n_fft // 2], pad_mode, None), {})
        input = padded.view(padded.shape[-rank:])
    args = (input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex)
    return bridge.op("aten.stft.default", args, {})


_WINDOW_NUMBERS = {"kaiser_window": ("beta",), "hamming_window": ("alpha", "beta")}


def _window(name):
    def window(window_length, *args, **kwargs):
        names = ("periodic", *_WINDOW_NUMBERS.get(name, ()))
        given = [*args, *(kwargs[n] for n in names[len(args) :] if n in kwargs)]
        return bridge.op(f"aten.{name}", (window_length, *given), _keywords(kwargs))

    window.__name__ = name
    return torch_function(window)


kaiser_window, blackman_window, bartlett_window, hamming_window = map(
    _window, ("kaiser_window", "blackman_window", "bartlett_window", "hamming_window")
)


def _triangle_indices(name):
    def indices(row, col, offset=0, **kwargs):
        return bridge.op(f"aten.{name}.default", (row, col, offset), _keywords(kwargs))

    indices.__name__ = name
    return torch_function(indices)


tril_indices, triu_indices = _triangle_indices("tril_indices"), _triangle_indices("triu_indices")
