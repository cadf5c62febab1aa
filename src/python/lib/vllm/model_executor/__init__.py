"""vllm.model_executor: the layers whose operators patterns are written for."""
