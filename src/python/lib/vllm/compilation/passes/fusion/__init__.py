"""vllm.compilation.passes.fusion: what fusion passes share. The passes themselves are the user's."""
