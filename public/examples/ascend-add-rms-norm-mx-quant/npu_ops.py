"""The operators of the chip's runtime, by their schemas. Patterns need what they take and return, not their kernels."""

import torch

FP8 = torch.float8_e4m3fn
BLOCK = 32  # elements that share one e8m0 scale

_lib = torch.library.Library("npu", "FRAGMENT")


def declare(schema: str, fake) -> None:
    _lib.define(schema)
    torch.library.register_fake("npu::" + schema.split("(")[0], fake, lib=_lib)


def codes(x):
    return torch.empty(x.shape, dtype=FP8, device=x.device)


def scales(x):
    return torch.empty(x.shape[:-1] + (x.shape[-1] // BLOCK,), dtype=torch.uint8, device=x.device)


# (normalised, 1 / rms, x1 + x2)
declare(
    "npu_add_rms_norm(Tensor x1, Tensor x2, Tensor gamma, float epsilon=1e-06) -> (Tensor, Tensor, Tensor)",
    lambda x1, x2, gamma, epsilon=1e-6: (
        torch.empty_like(x1),
        torch.empty(x1.shape[:-1] + (1,), dtype=torch.float32, device=x1.device),
        torch.empty_like(x1),
    ),
)
# (codes, scales)
declare(
    "npu_dynamic_mx_quant(Tensor input, *, ScalarType dst_type) -> (Tensor, Tensor)",
    lambda input, dst_type: (codes(input), scales(input)),
)
# (codes, x1 + x2, scales): another order than that of the two above, and `epsilion` is spelt so
declare(
    "npu_add_rms_norm_dynamic_mx_quant(Tensor x1, Tensor x2, Tensor gamma, *, float epsilion=1e-06,"
    " ScalarType dst_type) -> (Tensor, Tensor, Tensor)",
    lambda x1, x2, gamma, epsilion=1e-6, dst_type=None: (codes(x1), torch.empty_like(x1), scales(x1)),
)
