"""vllm.compilation.passes.utility."""
