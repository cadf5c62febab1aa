"""vllm_ascend.compilation.passes: what vLLM-Ascend's passes take from each other."""
