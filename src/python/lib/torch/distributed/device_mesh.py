"""torch.distributed.device_mesh: a mesh as data: its shape, its names and its ranks. There are no processes, so no groups."""

import itertools
import math

from _fusescope import partial_modules as _partial


class DeviceMesh:
    """The ranks of `mesh`, a nested list or a tensor's shape; rank 0 is this one."""

    def __init__(self, device_type, mesh=None, *, mesh_dim_names=None, _init_backend=True, **options):
        if mesh is None:
            raise NotImplementedError("Fusescope has no mesh without its ranks: they are of the processes that run")
        self.device_type, self.mesh_dim_names = device_type, None if mesh_dim_names is None else tuple(mesh_dim_names)
        self._ranks = _nested(mesh)
        self._shape = _shape_of(self._ranks)
        if self.mesh_dim_names is not None and len(self.mesh_dim_names) != len(self._shape):
            raise RuntimeError(
                f"mesh_dim_names must have same length as mesh dimensions; got {self.mesh_dim_names} for {self._shape}"
            )

    @property
    def mesh(self):
        import torch

        return torch.tensor(self._ranks, dtype=torch.int)

    @property
    def shape(self):
        return self._shape

    @property
    def ndim(self):
        return len(self._shape)

    def size(self, mesh_dim=None):
        return math.prod(self._shape) if mesh_dim is None else self._shape[mesh_dim]

    def get_rank(self):
        return 0

    def get_coordinate(self):
        at = next((i for i in itertools.product(*map(range, self._shape)) if self._at(i) == 0), None)
        return at

    def get_local_rank(self, mesh_dim=None):
        at = 0 if mesh_dim is None else self._named(mesh_dim)
        return self.get_coordinate()[at]

    def get_group(self, mesh_dim=None):
        raise NotImplementedError(
            "Fusescope has no process group of a DeviceMesh: a dump has the graph of one rank and no processes"
        )

    get_all_groups = get_group

    def __getitem__(self, mesh_dim_names):
        names = (mesh_dim_names,) if isinstance(mesh_dim_names, str) else tuple(mesh_dim_names)
        if self.mesh_dim_names is None:
            raise RuntimeError("Cannot slice a DeviceMesh without mesh_dim_names!")
        kept = [self._named(name) for name in names]
        own = self.get_coordinate()
        sizes = [self._shape[i] for i in kept]

        def ranks(chosen):
            if len(chosen) == len(kept):
                at = dict(zip(kept, chosen))
                return self._at([at.get(i, c) for i, c in enumerate(own)])
            return [ranks((*chosen, i)) for i in range(sizes[len(chosen)])]

        return DeviceMesh(self.device_type, ranks(()), mesh_dim_names=names)

    def _named(self, name):
        if isinstance(name, int):
            return name
        if name not in (self.mesh_dim_names or ()):
            raise KeyError(f"Invalid mesh_dim_names {name} specified: the mesh has {self.mesh_dim_names}")
        return self.mesh_dim_names.index(name)

    def _at(self, index):
        value = self._ranks
        for i in index:
            value = value[i]
        return value

    def _key(self):
        return self.device_type, self._shape, repr(self._ranks), self.mesh_dim_names

    def __eq__(self, other):
        return isinstance(other, DeviceMesh) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        names = self.mesh_dim_names
        shape = f"({', '.join(f'{n}={s}' for n, s in zip(names, self._shape))})" if names else str(self._shape)
        return f"DeviceMesh({shape}, '{self.device_type}', stride={_strides(self._shape)})"


def _nested(mesh):
    return mesh.tolist() if hasattr(mesh, "tolist") else list(mesh)


def _shape_of(ranks):
    return (len(ranks), *_shape_of(ranks[0])) if isinstance(ranks, (list, tuple)) else ()


def _strides(shape):
    return tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))


def init_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None, backend_override=None):
    numbers = itertools.count()

    def ranks(sizes):
        return [ranks(sizes[1:]) for _ in range(sizes[0])] if sizes else next(numbers)

    return DeviceMesh(device_type, ranks(tuple(mesh_shape)), mesh_dim_names=mesh_dim_names)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
