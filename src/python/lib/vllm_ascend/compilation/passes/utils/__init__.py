"""vllm_ascend.compilation.passes.utils: what vLLM-Ascend's passes take from each other."""
