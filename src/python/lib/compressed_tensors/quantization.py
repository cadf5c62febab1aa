"""compressed_tensors.quantization: the dtype of its FP8 values."""

import torch

FP8_DTYPE = torch.float8_e4m3fn
