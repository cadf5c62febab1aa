"""The operators, by their schemas. Their kernels live elsewhere: patterns need to know what is written to, no more."""

import torch
from quant_key import kFp8Dynamic64Sym, kFp8Dynamic128Sym, kFp8StaticTensorSym, kNvfp4Dynamic

_lib = torch.library.Library("_C", "FRAGMENT")


def declare(schema: str) -> None:
    """Declares one operator that returns nothing and writes into its `Tensor!` arguments."""
    _lib.define(schema)
    name = schema.split("(")[0]
    torch.library.register_fake(f"_C::{name}", lambda *args, **kwargs: None, lib=_lib)


declare("silu_and_mul(Tensor! result, Tensor input) -> ()")
declare("static_scaled_fp8_quant(Tensor! result, Tensor input, Tensor scale) -> ()")
declare(
    "per_token_group_fp8_quant(Tensor input, Tensor! output_q, Tensor! output_s, int group_size, float eps,"
    " float fp8_min, float fp8_max, bool scale_ue8m0, bool dummy_is_scale_transposed, bool dummy_is_tma_aligned) -> ()"
)
declare(
    "scaled_fp4_quant(Tensor! output, Tensor input, Tensor! output_scale, Tensor input_scale,"
    " bool is_sf_swizzled_layout) -> ()"
)

declare("silu_and_mul_quant(Tensor! result, Tensor input, Tensor scale) -> ()")
declare(
    "silu_and_mul_per_block_quant(Tensor! out, Tensor input, Tensor! scales, int group_size, Tensor? scale_ub,"
    " bool is_scale_transposed) -> ()"
)
declare(
    "silu_and_mul_nvfp4_quant(Tensor! result, Tensor! result_block_scale, Tensor input,"
    " Tensor input_global_scale) -> ()"
)

_C = torch.ops._C

SILU_MUL_OP = _C.silu_and_mul.default

# What the graph holds before fusion …
QUANT_OPS = {
    kFp8StaticTensorSym: _C.static_scaled_fp8_quant.default,
    kFp8Dynamic128Sym: _C.per_token_group_fp8_quant.default,
    kFp8Dynamic64Sym: _C.per_token_group_fp8_quant.default,
    kNvfp4Dynamic: _C.scaled_fp4_quant.default,
}

# … and the one operator that takes the place of both.
FUSED_OPS = {
    kFp8StaticTensorSym: _C.silu_and_mul_quant.default,
    kFp8Dynamic128Sym: _C.silu_and_mul_per_block_quant.default,
    kFp8Dynamic64Sym: _C.silu_and_mul_per_block_quant.default,
    kNvfp4Dynamic: _C.silu_and_mul_nvfp4_quant.default,
}
