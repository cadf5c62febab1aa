"""torch.utils.checkpoint: the policies that passes write into node.meta["recompute"]."""

import enum

from _fusescope import partial_modules as _partial


class CheckpointPolicy(enum.Enum):
    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


__getattr__ = _partial.of_pytorch(__name__, listed=False)
