"""vllm.compilation: the passes, and the older paths by which files import them."""
