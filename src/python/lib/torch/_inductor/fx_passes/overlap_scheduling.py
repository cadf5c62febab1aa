"""torch._inductor.fx_passes.overlap_scheduling: which nodes compute much, and the group of a collective. Nothing is scheduled here."""

import torch
from torch.fx.operator_schemas import normalize_function

from . import names_of

# The packets with a formula in torch.utils.flop_counter.
_COUNTED = frozenset(
    """
    mm addmm bmm baddbmm _scaled_mm convolution _convolution cudnn_convolution _slow_conv2d_forward convolution_overrideable
    convolution_backward _scaled_dot_product_efficient_attention _scaled_dot_product_flash_attention
    _scaled_dot_product_cudnn_attention _flash_attention_forward _efficient_attention_forward
    _scaled_dot_product_efficient_attention_backward _scaled_dot_product_flash_attention_backward
    _scaled_dot_product_cudnn_attention_backward _flash_attention_backward _efficient_attention_backward
    """.split()
)


def is_compute_node(n):
    target = n.target
    if isinstance(target, torch._ops.OpOverload):
        space, _, name = str(target.overloadpacket).partition(".")
        return space == "aten" and name in _COUNTED
    return getattr(target, "__name__", None) in ("flex_attention", "flex_attention_backward")


def get_group_name(n):
    found = normalize_function(n.target, args=n.args, kwargs=n.kwargs, normalize_to_only_use_kwargs=True)
    if found is None:
        raise AssertionError("failed to normalize args/kwargs for node")
    return found[1]["group_name"]


__getattr__ = names_of(__name__)
