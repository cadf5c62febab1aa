"""Tensor methods with arguments in several forms: views, splits, orders and norms."""

from _fusescope import bridge

from .._calls import sizes as _sizes
from .._types import dtype as DType


class Views:
    __slots__ = ()

    def view(self, *args):
        if len(args) == 1 and isinstance(args[0], DType):
            return bridge.op("aten.view.dtype", (self, args[0]), {})
        return bridge.op("aten.view.default", (self, _sizes(args)), {})

    def reshape(self, *shape):
        return bridge.op("aten.reshape.default", (self, _sizes(shape)), {})

    def view_as(self, other):
        return self.view(other.shape)

    def reshape_as(self, other):
        return self.reshape(other.shape)

    def permute(self, *dims):
        return bridge.op("aten.permute.default", (self, _sizes(dims)), {})

    def expand(self, *sizes):
        return bridge.op("aten.expand.default", (self, _sizes(sizes)), {})

    def expand_as(self, other):
        return self.expand(other.shape)

    def repeat(self, *sizes):
        return bridge.op("aten.repeat.default", (self, _sizes(sizes)), {})

    def flip(self, *dims):
        return bridge.op("aten.flip.default", (self, _sizes(dims)), {})

    def split(self, split_size, dim=0):
        if isinstance(split_size, (list, tuple)):
            return tuple(bridge.op("aten.split_with_sizes.default", (self, list(split_size), dim), {}))
        return tuple(bridge.op("aten.split.Tensor", (self, split_size, dim), {}))

    def chunk(self, chunks, dim=0):
        """Dispatches to split, as at::chunk does."""
        if self.ndim == 0:
            raise RuntimeError("chunk expects at least a 1-dimensional tensor")
        if chunks <= 0:
            raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        size = self.shape[dim]
        each = (size + chunks - 1) // chunks
        if each == 0:
            return self.split([0] * (chunks - 1) + [size], dim)
        return self.split(each, dim)

    def unbind(self, dim=0):
        return tuple(bridge.op("aten.unbind.int", (self, dim), {}))

    def unflatten(self, dim, sizes):
        return bridge.op("aten.unflatten.int", (self, dim, list(sizes)), {})

    def where(self, condition, other):
        return bridge.op("aten.where", (condition, self, other), {})

    def argsort(self, dim=-1, descending=False, stable=None):
        options = {} if stable is None else {"stable": stable}
        return bridge.op("aten.sort", (self,), {**options, "dim": dim, "descending": descending})[1]

    def outer(self, vec2):
        return self.reshape(self.shape[0], 1) * vec2

    ger = outer

    @property
    def T(self):
        return self.permute(*range(self.ndim - 1, -1, -1))

    @property
    def real(self):
        return bridge.op("aten.real.default", (self,), {})

    @property
    def imag(self):
        return bridge.op("aten.imag.default", (self,), {})

    @property
    def mT(self):
        return bridge.op("aten.mT.default", (self,), {})

    @property
    def mH(self):
        return bridge.op("aten.mH.default", (self,), {})

    @property
    def H(self):
        return bridge.op("aten.matrix_H.default", (self,), {})

    @property
    def data(self):
        return self.detach()

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        """torch.functional.norm: 2-norms of vectors go to linalg_vector_norm."""
        if dim is not None and not isinstance(dim, (list, tuple)):
            dim = [dim]
        p = 2 if p in ("fro", None) else p
        options = {} if dtype is None else {"dtype": dtype}
        return bridge.op(
            "aten.linalg_vector_norm.default", (self, p, None if dim is None else list(dim), keepdim), options
        )
