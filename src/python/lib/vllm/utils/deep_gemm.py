"""vllm.utils.deep_gemm: tells if FP8 products use DeepGEMM, which requires column-major scales."""

from _fusescope import environment


def is_deep_gemm_supported():
    found = environment.capability() if environment.vendor() == "cuda" else None
    return environment.answer("is_deep_gemm_supported()", found is not None and found >= (9, 0))


def is_deep_gemm_e8m0_used():
    return environment.answer("is_deep_gemm_e8m0_used()", environment.platform() == "cuda-sm100")


def should_use_deepgemm_for_fp8_linear_for_nk(output_dtype, shape0, shape1, supports_deep_gemm=None):
    return is_deep_gemm_supported()


def should_use_deepgemm_for_fp8_linear(output_dtype, weight, supports_deep_gemm=None):
    return is_deep_gemm_supported()
