"""node.meta for user code. Records reads and keeps the values that user code sets."""

from typing import Any

from .. import engine, wire

_reads = []  # [node name, key, repr of the value or None]: reads of node.meta by an extra_check
_extras = {}  # node name → values that user code set in its meta, while a run's passes are applied


def reads() -> list[list]:
    """The distinct reads of node.meta since the last call; reads of `val` only for nodes without one."""
    found = list(dict.fromkeys(_reads))
    _reads.clear()
    return [list(read) for read in found]


class Meta(dict):
    """node.meta: `val` and `custom` come from the graph, other keys are stored here."""

    def __init__(self, node, start):
        super().__init__({**start, **_extras.get(node._key, {})})
        self._node = node

    def _asked(self, key):
        # A missing `val` is recorded: the graph's text may have no shapes.
        if key != self._node._data["valKey"] or key not in self.keys():
            _reads.append((self._node.name, str(key), repr(dict.get(self, key)) if key in self.keys() else None))

    def __getitem__(self, key):
        self._asked(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._asked(key)
        return super().get(key, default)

    def __contains__(self, key):
        self._asked(key)
        return super().__contains__(key)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self._keep(key, value)

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def setdefault(self, key: str, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def __delitem__(self, key):
        super().__delitem__(key)
        _extras.get(self._node._key, {}).pop(key, None)

    def clear(self) -> None:
        super().clear()
        _extras.pop(self._node._key, None)

    def copy(self) -> dict:
        return dict(self)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return dict(self)

    def pop(self, key: str, *default: Any) -> Any:
        _extras.get(self._node._key, {}).pop(key, None)
        return super().pop(key, *default)

    def _keep(self, key, value):
        if key == self._node._data["valKey"]:
            engine.node_val(self._node._key, wire.encode(value))
        elif key == "custom" and isinstance(value, dict):
            engine.node_custom(self._node._key, wire.encode(value))
        else:
            _extras.setdefault(self._node._key, {})[key] = value
