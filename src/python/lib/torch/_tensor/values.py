"""Tensor values. A fake tensor has none, except a constant made by torch.tensor."""

import sys

from _fusescope import bridge


class Values:
    __slots__ = ()

    def _read(self, what, by=None):
        if self._value is None:
            mapping = sys.modules.get("torch._functorch.apis")
            if mapping is not None:
                mapping.refuse_values(self, by)
            raise bridge.exception("DataDependentOutputException", "aten._local_scalar_dense.default")
        value = self._value
        while type(value) is list:
            if len(value) != 1:
                raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to {what}")
            value = value[0]
        return value

    def item(self):
        if isinstance(self.numel(), int) and self.numel() != 1:
            raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
        return self._read("Scalar", "item")

    def __bool__(self):
        return bool(self._read("Scalar"))

    def __int__(self):
        return int(self._read("Scalar"))

    def __float__(self):
        return float(self._read("Scalar"))

    def __index__(self):
        if self._value is not None and self.dtype.is_floating_point:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._read("Scalar"))

    def tolist(self):
        return self._value if self._value is not None else self._read("list")

    def numpy(self, *, force=False):
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")

    def __iter__(self):
        return iter(self.unbind(0))

    def __contains__(self, item):
        return bool((self == item).any())
