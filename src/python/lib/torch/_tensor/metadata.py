"""Tensor metadata: shape, stride, dtype, device."""

from _fusescope import bridge, wire

from .._types import memory_format as _MemoryFormat
from .late_functions import later
from .storage import Storage, place_of

_contiguous = _MemoryFormat.named("contiguous_format")
_channels_last = {4: _MemoryFormat.named("channels_last"), 5: _MemoryFormat.named("channels_last_3d")}


class Metadata:
    __slots__ = ()

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def stride(self, dim=None):
        if dim is None:
            return tuple(self._step(i) for i in range(len(self.shape)))
        return self._step(dim)

    def _step(self, dim):
        step = self._stride[dim]
        return step if isinstance(step, int) else bridge.op("aten.sym_stride.int", (self, dim), {})

    def dim(self):
        return len(self.shape)

    ndimension = dim

    @property
    def ndim(self):
        return len(self.shape)

    def numel(self):
        if all(isinstance(d, int) for d in self.shape):
            return self.shape.numel()
        return bridge.op("aten.sym_numel.default", (self,), {})

    nelement = numel

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    @property
    def fake_mode(self):
        return later["fake_mode"]

    @property
    def constant(self):
        """The tensor itself if its values are known: torch.tensor made it."""
        return None if self._value is None else self

    def element_size(self):
        return self.dtype.itemsize

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.numel() * self.dtype.itemsize

    def storage_offset(self):
        return wire.decode(place_of(self)[1])

    def data_ptr(self):
        return 0

    def is_contiguous(self, memory_format=None):
        order = range(len(self.shape) - 1, -1, -1)
        if memory_format is not None and memory_format is not _contiguous:
            if memory_format is not _channels_last.get(len(self.shape)):
                return False
            order = [1, *range(len(self.shape) - 1, 1, -1), 0]
        expected = 1
        for i in order:
            size = self.shape[i]
            if size == 1:
                continue
            if size != 0 and self._stride[i] != expected:
                return False
            expected = expected * size
        return True

    def is_signed(self):
        return self.dtype.is_signed

    def is_pinned(self, device=None):
        return False

    def is_same_size(self, other):
        return self.shape == other.shape

    def dim_order(self):
        return tuple(sorted(range(self.ndim), key=lambda i: -self._stride[i]))

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def is_complex(self):
        return self.dtype.is_complex

    def get_device(self):
        return -1 if self.device.type == "cpu" else (self.device.index or 0)

    @property
    def is_cuda(self):
        return self.device.type == "cuda"

    @property
    def is_cpu(self):
        return self.device.type == "cpu"

    def requires_grad_(self, requires_grad=True):
        self.requires_grad = requires_grad
        return self

    def untyped_storage(self):
        return Storage(self)
