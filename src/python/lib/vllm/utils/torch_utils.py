"""vllm.utils.torch_utils: declares operators from a function's annotations."""

import torch
from torch.library import Library, infer_schema

vllm_lib = Library("vllm", "FRAGMENT")


def direct_register_custom_op(
    op_name, op_func, mutates_args=None, fake_impl=None, target_lib=None, dispatch_key=None, tags=()
):
    lib = target_lib or vllm_lib
    lib.define(op_name + infer_schema(op_func, mutates_args=mutates_args or []), tags=tags)
    lib.impl(op_name, op_func, dispatch_key=dispatch_key or "CUDA")
    if fake_impl is not None:
        lib._register_fake(op_name, fake_impl)


def is_torch_equal_or_newer(target):
    def numbers(version):
        return [int(n) for n in version.partition("+")[0].split(".")[:3] if n.isdigit()]

    return numbers(torch.__version__) >= numbers(target)


# Graphs with layer names as plain strings: VLLM_USE_LAYERNAME=0. vLLM's default on torch 2.11 and later wraps a name in
# an opaque object, which no printed graph shows.
_USE_LAYERNAME = False
LayerNameType = str


def _resolve_layer_name(layer_name):
    return layer_name


def _encode_layer_name(layer_name):
    return layer_name
