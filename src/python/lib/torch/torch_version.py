"""torch.torch_version: torch.__version__ as a string that compares with versions, strings and tuples."""

from collections.abc import Iterable

from torch._vendor.packaging.version import InvalidVersion, Version
from .version import __version__ as _internal_version


def _version(value):
    if isinstance(value, Version):
        return value
    if isinstance(value, str):
        return Version(value)
    if isinstance(value, Iterable):
        return Version(".".join(map(str, value)))
    raise InvalidVersion(value)


class TorchVersion(str):
    __slots__ = ()


def _comparison(name):
    def compare(self, other):
        try:
            return getattr(Version(self), name)(_version(other))
        except InvalidVersion:  # `parrot` compares as a string
            return getattr(str, name)(self, other)

    return compare


for _name in ("__gt__", "__lt__", "__eq__", "__ge__", "__le__"):
    setattr(TorchVersion, _name, _comparison(_name))
TorchVersion.__hash__ = str.__hash__

__version__ = TorchVersion(_internal_version)
