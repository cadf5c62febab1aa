"""vllm.distributed.parallel_state: a group with a name and a size only."""

import torch
from _fusescope import environment

from .device_communicators.custom_all_reduce import CustomAllreduce


def get_tensor_model_parallel_world_size():
    return environment.answer("get_tensor_model_parallel_world_size()", environment.flag("tensor_parallel_size", 2))


def get_tensor_model_parallel_rank():
    return 0


def model_parallel_is_initialized():
    return True


class DeviceCommunicator:
    def __init__(self):
        self.ca_comm = CustomAllreduce()


class GroupCoordinator:
    """A sum over one rank returns its input without an operator, as in vLLM."""

    unique_name = "tp:0"
    rank = rank_in_group = 0

    @property
    def world_size(self):
        return get_tensor_model_parallel_world_size()

    @property
    def device_group(self):
        return self

    cpu_group = device_group

    @property
    def device_communicator(self):
        """None on a CPU and for one rank, as in vLLM."""
        there = self.world_size > 1 and environment.platform() != "cpu"
        shown = "a communicator" if there else "None"
        return environment.answer("get_tp_group().device_communicator", DeviceCommunicator() if there else None, shown)

    def _get_backend(self, device):
        return self

    def get_hccl_comm_name(self, rank):
        return self.unique_name

    @property
    def group_name(self):
        return self.unique_name

    def all_reduce(self, x):
        return x if self.world_size == 1 else torch.ops.vllm.all_reduce(x, group_name=self.unique_name)

    def all_gather(self, x, dim=-1):
        return torch.ops.vllm.all_gather(x, dim % x.dim(), self.world_size, group_name=self.unique_name)

    def reduce_scatter(self, x, dim=-1):
        return torch.ops.vllm.reduce_scatter(x, dim % x.dim(), self.world_size, group_name=self.unique_name)


_tensor_parallel = GroupCoordinator()


def get_tp_group():
    return _tensor_parallel
