"""The part of vLLM-Ascend that fusion passes ask about their surroundings; the rest of it is a stub."""
import torch_npu  # noqa: F401 - which brings torch.npu
