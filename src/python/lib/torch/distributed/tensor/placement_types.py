"""torch.distributed.tensor.placement_types: how a dimension of a mesh holds a tensor."""

import dataclasses

from _fusescope import partial_modules as _partial


class Placement:
    def is_shard(self, dim=None):
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self):
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op=None):
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)


@dataclasses.dataclass(frozen=True)
class Shard(Placement):
    dim: int

    def __str__(self):
        return f"S({self.dim})"


@dataclasses.dataclass(frozen=True)
class Replicate(Placement):
    def __str__(self):
        return "R"


@dataclasses.dataclass(frozen=True, repr=False)
class Partial(Placement):
    reduce_op: str = "sum"

    def __repr__(self):
        return f"Partial({self.reduce_op})"

    def __str__(self):
        return f"P({self.reduce_op})"


__getattr__ = _partial.of_pytorch(__name__, listed=False)
