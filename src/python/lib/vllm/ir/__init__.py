"""vllm.ir: vLLM's own operators, which are lowered to kernels after the fusions."""

from . import ops  # noqa: F401
