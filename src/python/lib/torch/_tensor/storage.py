"""Storage of a tensor, shared by its views."""
from _fusescope import bridge


class Storage:
    def __init__(self, tensor):
        self._tensor = tensor

    @property
    def _cdata(self):
        return bridge.call("storage", self._tensor._id, getattr(self._tensor, "_of_node", None))

    def data_ptr(self):
        return 0

    def nbytes(self):
        return self._tensor.nbytes

    def __eq__(self, other):
        return isinstance(other, Storage) and self._cdata == other._cdata

    def __hash__(self):
        return hash(self._cdata)
