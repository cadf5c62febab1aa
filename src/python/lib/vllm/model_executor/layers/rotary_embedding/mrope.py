"""vllm.model_executor.layers.rotary_embedding.mrope: cosines or sines of three positions (time, height, width) in one row."""

import torch


def apply_interleaved_rope(x, mrope_section):
    """Of each three channels one is the height's and one the width's, as far as their sections reach."""
    channels = torch.arange(x.shape[-1], device=x.device)
    height, width = ((channels % 3 == at) & (channels < mrope_section[at] * 3) for at in (1, 2))
    return torch.where(width, x[2], torch.where(height, x[1], x[0]))
