"""vllm_ascend.logger."""

from vllm.logger import init_logger  # noqa: F401
