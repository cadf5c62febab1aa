"""vllm.compilation.passes.fusion: helpers shared by fusion passes. The passes themselves are the user's files."""
