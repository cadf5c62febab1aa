"""sglang.srt.utils: device queries, and the function that registers an operator."""

import os

import torch
from _fusescope import environment
from torch.library import Library

sglang_lib = Library("sglang", "FRAGMENT")


def direct_register_custom_op(op_name, op_func, mutates_args, fake_impl=None, target_lib=None):
    """Registers the operator `sglang::op_name` with the schema of op_func's annotations; op_func itself never runs."""
    library = target_lib or sglang_lib
    library.define(op_name + torch.library.infer_schema(op_func, mutates_args=mutates_args))
    library.impl(op_name, op_func, "CUDA")
    if fake_impl is not None:
        library._register_fake(op_name, fake_impl)


def supports_custom_op():
    return True


def _vendor_is(name, *vendors):
    return environment.answer(f"{name}()", environment.vendor() in vendors)


def is_cuda():
    return _vendor_is("is_cuda", "cuda")


def is_hip():
    return _vendor_is("is_hip", "rocm")


def is_cuda_alike():
    return _vendor_is("is_cuda_alike", "cuda", "rocm")


def is_npu():
    return _vendor_is("is_npu", "ascend")


def is_cpu():
    return _vendor_is("is_cpu", "cpu")


def is_xpu():
    return _vendor_is("is_xpu", "xpu")


def is_hpu():
    return _vendor_is("is_hpu")


def is_musa():
    return _vendor_is("is_musa")


def get_device_capability(device_id=0):
    return environment.answer("get_device_capability()", environment.capability() or (None, None))


def get_device_sm():
    found = environment.capability()
    return environment.answer("get_device_sm()", found[0] * 10 + found[1] if found else 0)


def _at_least(name, capability):
    found = environment.capability() if environment.vendor() == "cuda" else None
    return environment.answer(f"{name}()", found is not None and found >= capability)


def is_sm90_supported(device=None):
    return _at_least("is_sm90_supported", (9, 0))


def is_sm100_supported(device=None):
    return _at_least("is_sm100_supported", (10, 0))


def is_blackwell():
    return _at_least("is_blackwell", (10, 0))


def get_device(device_id=None):
    device = {"cuda": "cuda", "rocm": "cuda", "ascend": "npu", "cpu": "cpu", "xpu": "xpu"}[environment.vendor()]
    return device if device_id is None else f"{device}:{device_id}"


def is_flashinfer_available():
    return environment.answer(
        "is_flashinfer_available()", bool(environment.flag("flashinfer", environment.vendor() == "cuda"))
    )


def get_bool_env_var(name, default="false"):
    return os.getenv(name, default).lower() in ("1", "true")
