"""vllm.compilation.passes."""
