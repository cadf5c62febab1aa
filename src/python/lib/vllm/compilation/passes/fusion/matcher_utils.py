"""vllm.compilation.passes.fusion.matcher_utils: matchers add one operator to a pattern, as its kernel (forward_custom) or in plain torch (forward_native), depending on its form in the model's graph (custom_ops)."""

from abc import ABC, abstractmethod

import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from vllm._aiter_ops import rocm_aiter_ops
from vllm.config import get_current_vllm_config
from vllm.model_executor.layers.activation import SiluAndMul
from vllm.model_executor.layers.layernorm import RMSNorm
from vllm.model_executor.layers.quantization.input_quant_fp8 import QuantFP8
from vllm.model_executor.layers.quantization.utils.quant_utils import (
    _normalize_quant_group_shape,
    get_fp8_min_max,
    kFp8Dynamic64Sym,
    kFp8Dynamic128Sym,
    kFp8DynamicTensorSym,
    kFp8DynamicTokenSym,
    kFp8StaticTensorSym,
    kNvfp4Dynamic,
)
from vllm.model_executor.layers.rotary_embedding import RotaryEmbedding
from vllm.platforms import current_platform

_C = torch.ops._C
RMS_OP = _C.rms_norm.default
RMS_ADD_OP = _C.fused_add_rms_norm.default

SILU_MUL_OP = _C.silu_and_mul.default
ROTARY_OP = _C.rotary_embedding.default
FLASHINFER_ROTARY_OP = torch.ops.vllm.flashinfer_rotary_embedding.default

# Operators in the graph before fusion.
QUANT_OPS = {
    kFp8StaticTensorSym: _C.static_scaled_fp8_quant.default,
    kFp8DynamicTensorSym: _C.dynamic_scaled_fp8_quant.default,
    kFp8DynamicTokenSym: _C.dynamic_per_token_scaled_fp8_quant.default,
    kFp8Dynamic128Sym: _C.per_token_group_fp8_quant.default,
    kFp8Dynamic64Sym: _C.per_token_group_fp8_quant.default,
}
if current_platform.is_cuda() and hasattr(_C, "scaled_fp4_quant"):
    QUANT_OPS[kNvfp4Dynamic] = _C.scaled_fp4_quant.out


class MatcherCustomOp(ABC):
    def __init__(self, enabled):
        config = get_current_vllm_config()
        self.model_dtype = config.model_config.dtype if config.model_config else None
        self.device = config.device_config.device if config.device_config else None
        self.enabled = enabled
        self.forward = self.forward_custom if enabled else self.forward_native

    @abstractmethod
    def forward_custom(self, *args, **kwargs): ...

    @abstractmethod
    def forward_native(self, *args, **kwargs): ...

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def empty(self, *args, **kwargs):
        return torch.empty(*args, dtype=self.model_dtype, device=self.device, **kwargs)

    def empty_int64(self, *args, **kwargs):
        return torch.empty(*args, dtype=torch.int64, device=self.device, **kwargs)

    def empty_f32(self, *args, **kwargs):
        return torch.empty(*args, dtype=torch.float32, device=self.device, **kwargs)

    def inputs(self):
        """Example tensors for tracing."""
        raise NotImplementedError


class MatcherSiluAndMul(MatcherCustomOp):
    def __init__(self, enabled=None):
        super().__init__(SiluAndMul.enabled() if enabled is None else enabled)

    def inputs(self):
        return [self.empty(5, 4)]

    def forward_custom(self, x):
        out = torch.empty(x.shape[:-1] + (x.shape[-1] // 2,), dtype=x.dtype, device=x.device)
        return auto_functionalized(SILU_MUL_OP, result=out, input=x)[1]

    def forward_native(self, x):
        return SiluAndMul.forward_native(x)


class _MatcherNorm(MatcherCustomOp):
    def __init__(self, epsilon, enabled=None, match_rocm_aiter=False):
        super().__init__(RMSNorm.enabled() if enabled is None else enabled)
        self.epsilon, self.match_rocm_aiter = epsilon, match_rocm_aiter

    def _input(self):
        # In plain torch the input may still be float32: the conversions are not in the graph.
        return self.empty(5, 16) if self.enabled else self.empty_f32(5, 16)

    def _native(self, input, weight, residual=None):
        return RMSNorm.forward_static(input, self.epsilon, input.size(-1), self.model_dtype, weight, residual)


class MatcherRMSNorm(_MatcherNorm):
    def inputs(self):
        return [self._input(), self.empty(16)]

    def forward_custom(self, input, weight):
        if self.match_rocm_aiter:
            return rocm_aiter_ops.get_rmsnorm_op()(x=input, weight=weight, variance_epsilon=self.epsilon)
        result = torch.empty_like(input)
        return auto_functionalized(RMS_OP, result=result, input=input, weight=weight, epsilon=self.epsilon)[1]

    def forward_native(self, input, weight):
        return self._native(input, weight)


class MatcherFusedAddRMSNorm(_MatcherNorm):
    def inputs(self):
        return [self._input(), self.empty(16), self.empty(5, 16)]

    def forward_custom(self, input, weight, residual):
        if self.match_rocm_aiter:
            op = rocm_aiter_ops.get_rmsnorm_fused_add_op()
            return op(x=input, residual=residual, weight=weight, variance_epsilon=self.epsilon)
        at = auto_functionalized(RMS_ADD_OP, input=input, residual=residual, weight=weight, epsilon=self.epsilon)
        return at[1], at[2]

    def forward_native(self, input, weight, residual):
        return self._native(input, weight, residual)


class MatcherQuantFP8(MatcherCustomOp):
    def __init__(
        self,
        quant_key,
        enabled=None,
        has_col_major_scales=False,
        is_e8m0=False,
        match_rocm_aiter=False,
        is_tma_aligned=False,
        use_col_major_scales=None,
    ):
        super().__init__(QuantFP8.enabled() if enabled is None else enabled)
        self.quant_key = quant_key
        # vLLM's former name is `use_col_major_scales`.
        self.has_col_major_scales = has_col_major_scales if use_col_major_scales is None else use_col_major_scales
        self.use_col_major_scales = self.has_col_major_scales
        self.is_e8m0, self.is_tma_aligned, self.match_rocm_aiter = is_e8m0, is_tma_aligned, match_rocm_aiter
        shape = quant_key.scale.group_shape
        if match_rocm_aiter:
            assert not shape.is_per_tensor(), "ROCm aiter fusion pass does not support per tensor quantization"
            by_token = shape.is_per_token()
            self.QUANT_OP = rocm_aiter_ops.get_per_token_quant_op() if by_token else rocm_aiter_ops.get_group_quant_op()
        else:
            assert quant_key in QUANT_OPS, f"unsupported quantization scheme {quant_key}"
            self.QUANT_OP = QUANT_OPS[quant_key]
            assert quant_key.dtype == current_platform.fp8_dtype(), "Only QuantFP8 supported by"
            assert quant_key.scale2 is None
        self.quant_fp8 = QuantFP8(
            quant_key.scale.static,
            shape,
            column_major_scales=self.has_col_major_scales,
            use_ue8m0=is_e8m0,
            tma_aligned_scales=is_tma_aligned,
            compile_native=False,
        )

    def inputs(self):
        example = self.empty(5, 16)
        return [example, self.empty_f32(1, 1)] if self.quant_key.scale.static else [example]

    def make_scale(self, input, transposed=False):
        """One scale per group; transposed scales are a permuted view, which is one more node in the graph."""
        rows, columns = _normalize_quant_group_shape(input, self.quant_key.scale.group_shape)
        shape = (input.shape[0] // rows, input.shape[1] // columns)
        made = torch.empty(shape[::-1] if transposed else shape, device=input.device, dtype=torch.float32)
        return made.permute(-1, -2) if transposed else made

    def forward_custom(self, input, scale=None):
        if self.match_rocm_aiter:
            return self.forward_rocm_aiter(input, scale)
        result = torch.empty(input.shape, device=input.device, dtype=self.quant_key.dtype)
        if self.quant_key.scale.static:
            assert scale is not None
            return auto_functionalized(self.QUANT_OP, result=result, input=input, scale=scale)[1], scale
        if self.quant_key.scale.group_shape.is_per_group():
            return self._by_groups(input, result, scale)
        assert scale is None
        scale = self.make_scale(input)
        at = auto_functionalized(self.QUANT_OP, result=result, input=input, scale=scale, scale_ub=None)
        return at[1], at[2]

    def _by_groups(self, input, result, scale):
        if not self.is_tma_aligned:
            assert scale is None
            scale = self.make_scale(input, transposed=self.has_col_major_scales)
        smallest, largest = get_fp8_min_max()
        at = auto_functionalized(
            self.QUANT_OP,
            input=input,
            output_q=result,
            output_s=scale,
            group_size=self.quant_key.scale.group_shape.col,
            eps=1e-10,
            fp8_min=smallest,
            fp8_max=largest,
            scale_ue8m0=self.is_e8m0,
            dummy_is_scale_transposed=self.has_col_major_scales,
            dummy_is_tma_aligned=self.is_tma_aligned,
        )
        return at[1], at[2]

    def forward_rocm_aiter(self, input, scale=None):
        shape = self.quant_key.scale.group_shape
        if shape.is_per_group():
            return self.QUANT_OP(input, shape.col)
        return self.QUANT_OP(x=input, quant_dtype=self.quant_key.dtype, scale=scale)

    def forward_native(self, input, scale=None):
        return self.quant_fp8.forward_native(input, scale)


class MatcherRotaryEmbedding(MatcherCustomOp):
    def __init__(
        self, is_neox, head_size, num_heads, num_kv_heads, use_flashinfer=False, match_rocm_aiter=None, enabled=None
    ):
        super().__init__(RotaryEmbedding.enabled() if enabled is None else enabled)
        self.is_neox, self.head_size, self.rotary_dim = is_neox, head_size, head_size
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.q_size, self.kv_size = num_heads * head_size, num_kv_heads * head_size
        if match_rocm_aiter is None:
            match_rocm_aiter = rocm_aiter_ops.is_triton_rotary_embed_enabled()
        aiter = rocm_aiter_ops.get_triton_rotary_embedding_op() if match_rocm_aiter else ROTARY_OP
        self.rotary_op = FLASHINFER_ROTARY_OP if use_flashinfer else aiter

    def inputs(self):
        return [
            self.empty_int64(5),
            self.empty(5, self.q_size),
            self.empty(5, self.kv_size),
            self.empty(4096, self.rotary_dim),
        ]

    def forward_custom(self, positions, query, key, cos_sin_cache):
        at = auto_functionalized(
            self.rotary_op,
            positions=positions,
            query=query,
            key=key,
            head_size=self.head_size,
            cos_sin_cache=cos_sin_cache,
            is_neox=self.is_neox,
        )
        return at[1], None if key is None else at[2]

    def forward_native(self, positions, query, key, cos_sin_cache):
        return RotaryEmbedding.forward_static(
            positions, query, key, self.head_size, self.rotary_dim, cos_sin_cache, self.is_neox
        )
