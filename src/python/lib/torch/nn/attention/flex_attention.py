"""torch.nn.attention.flex_attention: attention with a function of each score and a mask of blocks."""

import math
from typing import NamedTuple

import torch
from _fusescope import partial_modules as _partial
from torch import Tensor
from torch._higher_order_ops.flex_attention import traced

from ._block_mask import (  # noqa: F401
    LARGE_SPARSE_BLOCK_SIZE,
    BlockMask,
    and_masks,
    create_block_mask,
    create_empty_block_mask,
    create_mask,
    noop_mask,
    or_masks,
)

_TOO_SMALL = (
    "block_mask was created for a smaller length than you're using it for, you likely need to create a new block mask."
)
_TOO_LARGE = (
    "block_mask was created for a larger length than you're using it for, you can either 1. create a new block mask with "
    "the correct length, or 2. 'adjust' the existing block mask to the correct length by calling "
    "block_mask._adjust(q_len, kv_len). This essentially 'crops' the block mask to the upper left corner, which does not "
    "work for all mask_mods!"
)
_BACKENDS = ("AUTO", "TRITON", "FLASH", "TRITON_DECODE")


class AuxRequest(NamedTuple):
    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    lse: Tensor | None = None
    max_scores: Tensor | None = None


def _identity(score, batch, head, token_q, token_kv):
    return score


def _apply_kernel_options(tensors, return_lse, kernel_options, return_aux):
    options = dict(kernel_options or {})
    if options.get("BACKEND", "AUTO") not in _BACKENDS:
        raise ValueError(f"Invalid BACKEND value '{options['BACKEND']}'. Must be one of {_BACKENDS}")
    options.setdefault("BACKEND", "AUTO")
    for name in ("PRESCALE_QK", "ROWS_GUARANTEED_SAFE", "BLOCKS_ARE_CONTIGUOUS"):
        options.setdefault(name, False)
    options.setdefault("WRITE_DQ", True)
    on_cpu = any(t.device.type == "cpu" for t in tensors)
    output_lse, output_max = (return_lse, False) if return_aux is None else return_aux
    options["OUTPUT_LOGSUMEXP"] = output_lse or (torch.is_grad_enabled() and not on_cpu)
    if options["BACKEND"] == "FLASH" and output_max:
        raise NotImplementedError(
            "Returning max scores is not supported with BACKEND='FLASH'. "
            "Use return_aux=AuxRequest(lse=True) or omit max_scores."
        )
    options["OUTPUT_MAX"] = output_max
    if on_cpu and output_max:
        raise NotImplementedError("Returning max scores is not supported on CPU.")
    return options


def _check(query, key, value, enable_gqa, block_mask):
    if query.size(-1) != key.size(-1):
        raise ValueError(
            "Expect query and key/value to have the same embedding dimension "
            f"but got E={query.size(-1)} and E={key.size(-1)}."
        )
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    heads, shared = query.size(-3), key.size(-3)
    if not enable_gqa and heads != shared:
        raise ValueError(
            "Expect query and key/value to have the same number of heads "
            f"but got Hq={heads} and Hkv={shared}. Try setting enable_gqa=True for GQA."
        )
    if enable_gqa and heads % shared != 0:
        raise ValueError(
            f"Expect number of query heads to be a multiple of kv heads for GQA but got Hq={heads} and Hkv={shared}."
        )
    if query.size(0) != key.size(0) and block_mask is None:
        raise ValueError(
            "Expect query and key/value to have the same batch size, or non-none block_mask, "
            f"but got block_mask=None, Bq={query.size(0)}, and Bkv={key.size(0)}."
        )


def _check_block_mask(query, key, mask):
    if mask.BLOCK_SIZE != (LARGE_SPARSE_BLOCK_SIZE, LARGE_SPARSE_BLOCK_SIZE):
        lengths, masked = (query.size(-2), key.size(-2)), mask.shape[-2:]
        if any(length > other for length, other in zip(lengths, masked)):
            raise RuntimeError(_TOO_SMALL)
        if any(length < other for length, other in zip(lengths, masked)):
            raise RuntimeError(_TOO_LARGE)
    if query.device != mask.kv_num_blocks.device:
        raise RuntimeError(
            "Expect q/k/v and block_mask to be on the same device "
            f"but got {query.device} and {mask.kv_num_blocks.device}."
        )


def flex_attention(
    query,
    key,
    value,
    score_mod=None,
    block_mask=None,
    scale=None,
    enable_gqa=False,
    return_lse=False,
    kernel_options=None,
    *,
    return_aux=None,
):
    _check(query, key, value, enable_gqa, block_mask)
    if block_mask is None:
        block_mask = create_empty_block_mask(query, key)
    _check_block_mask(query, key, block_mask)
    if scale is None:
        scale = 1.0 / math.sqrt(query.size(-1))
    if return_lse and return_aux is not None:
        raise ValueError(
            "Cannot specify both return_lse and return_aux. "
            "return_lse is deprecated, please use return_aux=AuxRequest(lse=True) instead."
        )
    options = _apply_kernel_options((query, key, value), return_lse, kernel_options, return_aux)
    out, lse, greatest = traced(query, key, value, score_mod or _identity, block_mask.as_tuple(), scale, options)
    binary = options["BACKEND"] != "FLASH"  # the others give logarithms to the base 2
    wanted = AuxRequest(lse=return_lse) if return_aux is None else return_aux
    lse = (lse * math.log(2.0) if binary else lse) if wanted.lse else None
    greatest = (greatest * math.log(2.0) if binary else greatest) if wanted.max_scores else None
    if return_aux is not None:
        return out, AuxOutput(lse, greatest)
    return (out, lse) if return_lse else out


__getattr__ = _partial.of_pytorch(__name__, listed=False)
