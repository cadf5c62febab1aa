"""torch.distributed.tensor._dtensor_spec: how a tensor lies on a mesh, as data."""

import dataclasses
from typing import Any, NamedTuple

from _fusescope import partial_modules as _partial


class TensorMeta(NamedTuple):
    shape: Any
    stride: tuple
    dtype: Any


class ShardOrderEntry(NamedTuple):
    tensor_dim: int
    mesh_dims: tuple


@dataclasses.dataclass
class DTensorSpec:
    mesh: Any
    placements: tuple
    tensor_meta: TensorMeta = None
    shard_order: tuple = None

    def __post_init__(self):
        self.placements = tuple(self.placements)
        if self.shard_order is None:
            self.shard_order = self.compute_default_shard_order(self.placements)

    @staticmethod
    def compute_default_shard_order(placements):
        by_dim = {}
        for i, placement in enumerate(placements):
            if placement.is_shard():
                by_dim.setdefault(placement.dim, []).append(i)
        return tuple(ShardOrderEntry(dim, tuple(by_dim[dim])) for dim in sorted(by_dim))

    def __hash__(self):
        meta = self.tensor_meta
        return hash(
            (self.mesh, self.placements, self.shard_order, meta and (tuple(meta.shape), meta.stride, meta.dtype))
        )

    @property
    def shape(self):
        return self._meta().shape

    @property
    def stride(self):
        return self._meta().stride

    @property
    def ndim(self):
        return len(self._meta().shape)

    @property
    def device_mesh(self):
        return self.mesh

    @property
    def num_shards(self):
        found = 1
        for i, placement in enumerate(self.placements):
            found *= self.mesh.size(i) if placement.is_shard() else 1
        return found

    @property
    def dim_map(self):
        """For each dimension of the tensor, the dimension of the mesh that shards it, or -1."""
        found = [-1] * self.ndim
        for i, placement in enumerate(self.placements):
            if placement.is_shard():
                found[placement.dim] = i
        return found

    @property
    def sums(self):
        return [i for i, placement in enumerate(self.placements) if placement.is_partial()]

    def is_replicated(self):
        return all(placement.is_replicate() for placement in self.placements)

    def is_sharded(self):
        return any(placement.is_shard() for placement in self.placements)

    def _meta(self):
        if self.tensor_meta is None:
            raise ValueError("tensor_meta is not set")
        return self.tensor_meta


__getattr__ = _partial.of_pytorch(__name__, listed=False)
