"""vllm…quantization.utils.w8a8_utils: kernel support for matrix products on this chip."""

from _fusescope import environment


def _at_least(name, capability):
    found = environment.capability() if environment.vendor() == "cuda" else None
    return environment.answer(f"{name}()", found is not None and found >= capability)


def cutlass_fp8_supported():
    return _at_least("cutlass_fp8_supported", (8, 9))


def cutlass_block_fp8_supported():
    return _at_least("cutlass_block_fp8_supported", (9, 0))
