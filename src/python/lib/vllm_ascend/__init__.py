"""The part of vLLM-Ascend that fusion passes import and query; the rest is stubbed."""

import torch_npu  # noqa: F401 - adds torch.npu
