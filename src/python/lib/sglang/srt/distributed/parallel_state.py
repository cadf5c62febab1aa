"""sglang.srt.distributed.parallel_state: the tensor-parallel group, whose size is the environment's flag `tp_size`."""

import torch
from _fusescope import environment
from sglang.srt.utils import direct_register_custom_op


def inplace_all_reduce(tensor: torch.Tensor, group_name: str) -> None:
    """The in-place sum over the ranks."""


def outplace_all_reduce(tensor: torch.Tensor, group_name: str, outplace_all_reduce_method: str) -> torch.Tensor:
    return torch.empty_like(tensor)


direct_register_custom_op("inplace_all_reduce", inplace_all_reduce, ["tensor"], inplace_all_reduce)
direct_register_custom_op("outplace_all_reduce", outplace_all_reduce, [], outplace_all_reduce)


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
        """PyTorch's functional collective, or the SGLang operator that the flag `all_reduce` names: `inplace`, or the method of an out-of-place one (`ca`, `qr`, …). A group of one rank returns its input."""
        if self.world_size == 1:
            return input_
        method = environment.flag("all_reduce")
        if method == "inplace":
            torch.ops.sglang.inplace_all_reduce(input_, group_name=self.unique_name)
            return input_
        if method:
            return torch.ops.sglang.outplace_all_reduce(
                input_, group_name=self.unique_name, outplace_all_reduce_method=method
            )
        reduced = torch.ops._c10d_functional.all_reduce.default(input_, "sum", self.unique_name)
        return torch.ops._c10d_functional.wait_tensor.default(reduced)


_tp_group = GroupCoordinator()


def get_tp_group():
    return _tp_group


def tensor_model_parallel_all_reduce(input_):
    return _tp_group.all_reduce(input_)
