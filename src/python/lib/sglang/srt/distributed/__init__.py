"""sglang.srt.distributed: the tensor-parallel group, as large as the environment's flag `tp_size` says."""
import torch
from _fusescope import environment


def get_tensor_model_parallel_world_size():
    return environment.answer("get_tensor_model_parallel_world_size()", environment.flag("tp_size", 1))


def get_tensor_model_parallel_rank():
    return 0


class GroupCoordinator:
    unique_name = "tp:0"
    rank_in_group = 0
    device_group = None

    @property
    def world_size(self):
        return get_tensor_model_parallel_world_size()

    def all_reduce(self, input_):
        """What PyTorch's own functional collective records; a group of one has nothing to add up."""
        if self.world_size == 1:
            return input_
        reduced = torch.ops._c10d_functional.all_reduce.default(input_, "sum", self.unique_name)
        return torch.ops._c10d_functional.wait_tensor.default(reduced)


_tp_group = GroupCoordinator()


def get_tp_group():
    return _tp_group


def tensor_model_parallel_all_reduce(input_):
    return _tp_group.all_reduce(input_)
