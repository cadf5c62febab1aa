"""vllm.model_executor: the layers whose operators occur in patterns."""
