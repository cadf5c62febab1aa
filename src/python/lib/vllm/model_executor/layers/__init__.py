"""vllm.model_executor.layers."""
