"""executorch.exir.memory: functions that a graph with planned memory calls."""

import torch


def alloc(spec):
    """A tensor of a shape and dtype, or a list of them."""
    if isinstance(spec, list):
        return [alloc(each) for each in spec]
    return torch.empty(spec[0], dtype=spec[1], device="meta")


def view(base, size):
    return torch.ops.aten.view.default(base, size)


def free(spec):
    """Ends a tensor's life; a graph alone has none."""
