"""vllm.compilation: the passes, and their former import paths."""
