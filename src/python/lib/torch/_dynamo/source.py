"""torch._dynamo.source: where a traced value comes from."""

import dataclasses
import enum

from _fusescope import partial_modules as _partial


class Source:
    def name(self):
        raise NotImplementedError(f"{type(self).__name__} has no name")


@dataclasses.dataclass(frozen=True)
class LocalSource(Source):
    local_name: str
    is_input: bool = False
    dynamism: frozenset | None = None
    is_derefed_cell_contents: bool = False

    def name(self):
        return f"L[{self.local_name!r}]"


@dataclasses.dataclass(frozen=True)
class GlobalSource(Source):
    global_name: str

    def name(self):
        return f"G[{self.global_name!r}]"


@dataclasses.dataclass(frozen=True)
class ConstantSource(Source):
    source_name: str

    def name(self):
        return self.source_name


@dataclasses.dataclass(frozen=True)
class ChainedSource(Source):
    base: Source


@dataclasses.dataclass(frozen=True)
class AttrSource(ChainedSource):
    member: str

    def name(self):
        return f"{self.base.name()}.{self.member}"


@dataclasses.dataclass(frozen=True)
class NegateSource(ChainedSource):
    def name(self):
        return f"{self.base.name()}.__neg__()"


class TensorProperty(enum.Enum):
    SIZE, STRIDE, STORAGE_OFFSET = range(3)

    def method_name(self):
        return self.name.lower()


@dataclasses.dataclass(frozen=True)
class TensorPropertySource(ChainedSource):
    prop: TensorProperty
    idx: int | None = None

    def name(self):
        return f"{self.base.name()}.{self.prop.method_name()}()" + ("" if self.idx is None else f"[{self.idx}]")


__getattr__ = _partial.of_pytorch(__name__, listed=False)
