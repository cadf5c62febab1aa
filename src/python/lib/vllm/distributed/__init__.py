"""vllm.distributed: the tensor-parallel group, and its collectives as graph operators."""

import torch
from vllm.utils.torch_utils import direct_register_custom_op

from . import _symm_mem
from .parallel_state import (  # noqa: F401
    get_tensor_model_parallel_rank,
    get_tensor_model_parallel_world_size,
    get_tp_group,
    model_parallel_is_initialized,
)


def _all_reduce(tensor: torch.Tensor, group_name: str) -> torch.Tensor:
    return torch.empty_like(tensor)


def _reduce_scatter(tensor: torch.Tensor, dim: int, world_size: int, group_name: str) -> torch.Tensor:
    return _symm_mem.like(tensor, dim, tensor.shape[dim] // world_size)


def _all_gather(tensor: torch.Tensor, dim: int, world_size: int, group_name: str) -> torch.Tensor:
    return _symm_mem.like(tensor, dim, tensor.shape[dim] * world_size)


for _fn in (_all_reduce, _reduce_scatter, _all_gather):
    direct_register_custom_op(_fn.__name__[1:], _fn, fake_impl=_fn)


def tensor_model_parallel_all_reduce(input_):
    return get_tp_group().all_reduce(input_)


def tensor_model_parallel_all_gather(input_, dim=-1):
    return get_tp_group().all_gather(input_, dim)


def tensor_model_parallel_reduce_scatter(input_, dim=-1):
    return get_tp_group().reduce_scatter(input_, dim)
