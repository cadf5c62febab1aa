"""vllm_ascend.compilation.passes: modules shared by vLLM-Ascend's passes."""
