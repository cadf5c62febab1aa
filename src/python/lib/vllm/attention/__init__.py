"""vllm.attention: the former path of vllm.model_executor.layers.attention."""

from vllm.model_executor.layers.attention import Attention, MLAAttention  # noqa: F401
