"""vllm.model_executor.layers.attention.mla_attention."""

from . import MLAAttention  # noqa: F401
