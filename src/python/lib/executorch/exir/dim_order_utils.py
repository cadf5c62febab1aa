"""executorch.exir.dim_order_utils: a memory format as the order of dimensions, outermost first, and back."""

import torch

_CHANNELS_LAST = [0, 2, 3, 1]


def get_memory_format(dim_order):
    if dim_order is None:
        return torch.preserve_format
    if list(dim_order) == list(range(len(dim_order))):
        return torch.contiguous_format
    if list(dim_order) == _CHANNELS_LAST:
        return torch.channels_last
    raise AssertionError(f"Failed to map a given dim_order: {dim_order} to a torch.memory_format")


def get_dim_order(memory_format, ndim):
    if memory_format in (None, torch.preserve_format):
        return None
    if memory_format == torch.contiguous_format:
        return list(range(ndim))
    if memory_format == torch.channels_last and ndim == 4:
        return list(_CHANNELS_LAST)
    raise AssertionError(f"Failed to generate dim_order for a given memory format: {memory_format}")


def is_channel_last_dim_order(tensor):
    return tensor.dim() == 4 and tensor.dim_order() == tuple(_CHANNELS_LAST)


def is_contiguous_dim_order(tensor):
    return tensor.dim_order() == tuple(range(tensor.dim()))
