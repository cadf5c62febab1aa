"""vllm.model_executor.layers.attention: the layers that a graph's attention operators refer to by name."""

from _fusescope import environment, stubs


class _Implementation:
    """The part of the attention backend that passes query: its support for quantized output."""

    def fused_output_quant_supported(self, *quant_key):
        return environment.answer(
            "fused_output_quant_supported()", environment.flag("fused_output_quant_supported", True)
        )

    def fused_rope_kvcache_supported(self):
        return environment.answer(
            "fused_rope_kvcache_supported()", environment.flag("fused_rope_kvcache_supported", True)
        )

    def fused_qk_norm_rope_kvcache_supported(self):
        there = environment.flag("fused_qk_norm_rope_kvcache_supported", environment.vendor() == "rocm")
        return environment.answer("fused_qk_norm_rope_kvcache_supported()", there)


class _Layer:
    def __init__(self, num_heads, head_size, scale=None, num_kv_heads=None, prefix="", **kwargs):
        self.layer_name = prefix
        self.num_heads, self.head_size, self.num_kv_heads = num_heads, head_size, num_kv_heads or num_heads
        self.head_size_v = head_size
        self.kv_cache_dtype = environment.flag("kv_cache_dtype", "auto")
        self.impl = _Implementation()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stubs.missing("vllm.model_executor.layers.attention", f"{type(self).__name__}.{name}")


class Attention(_Layer):
    pass


class MLAAttention(_Layer):
    """DeepSeek's multi-head latent attention: keys and values from one low-rank part, with a separate rotary part."""

    def __init__(
        self, num_heads, kv_lora_rank=512, qk_nope_head_dim=128, qk_rope_head_dim=64, v_head_dim=128, prefix=""
    ):
        super().__init__(num_heads, kv_lora_rank + qk_rope_head_dim, num_kv_heads=1, prefix=prefix)
        self.kv_lora_rank, self.v_head_dim = kv_lora_rank, v_head_dim
        self.qk_nope_head_dim, self.qk_rope_head_dim = qk_nope_head_dim, qk_rope_head_dim
