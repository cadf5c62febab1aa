"""vllm_ascend.compilation: what vLLM-Ascend's passes take from each other."""
