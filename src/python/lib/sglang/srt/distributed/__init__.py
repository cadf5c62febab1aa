"""sglang.srt.distributed: the tensor-parallel group and its sum."""

from .parallel_state import (  # noqa: F401
    GroupCoordinator,
    get_tensor_model_parallel_rank,
    get_tensor_model_parallel_world_size,
    get_tp_group,
    tensor_model_parallel_all_reduce,
)
