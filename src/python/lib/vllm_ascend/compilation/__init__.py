"""vllm_ascend.compilation: modules shared by vLLM-Ascend's passes."""
