"""vllm.model_executor.layers.quantization."""
