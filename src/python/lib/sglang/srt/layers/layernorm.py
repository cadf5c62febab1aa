"""sglang.srt.layers.layernorm: RMSNorm, as its kernel or in plain torch."""

from vllm.model_executor.layers.layernorm import RMSNorm  # noqa: F401
