"""torch.distributed.tensor: placements and meshes as data. A graph has local tensors only, so no value is a DTensor."""

from _fusescope import partial_modules as _partial

from ..device_mesh import DeviceMesh, init_device_mesh  # noqa: F401
from .placement_types import Partial, Placement, Replicate, Shard  # noqa: F401

DTensor = _partial.refused(f"{__name__}.DTensor", reason="the tensors of a graph are those of one rank")

__getattr__ = _partial.of_pytorch(__name__, listed=False)
