"""torch.utils.checkpoint: functions that a backward graph computes again, and the policies of node.meta["recompute"]."""

import enum

from _fusescope import partial_modules as _partial


class CheckpointPolicy(enum.Enum):
    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    context_fn=None,
    determinism_check="default",
    debug=False,
    early_stop=True,
    **kwargs,
):
    import torch

    if torch.is_grad_enabled() and any(isinstance(a, torch.Tensor) and a.requires_grad for a in args):
        raise NotImplementedError(
            "Fusescope's torch.utils.checkpoint computes nothing again: the graph has no backward"
        )
    return function(*args, **kwargs)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
