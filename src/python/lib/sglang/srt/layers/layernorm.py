"""sglang.srt.layers.layernorm: RMSNorm in plain torch, and whether the model has it as a kernel."""
from vllm.model_executor.layers.layernorm import RMSNorm  # noqa: F401
