"""vllm_ascend.compilation.passes.utils: helpers shared by vLLM-Ascend's passes."""
