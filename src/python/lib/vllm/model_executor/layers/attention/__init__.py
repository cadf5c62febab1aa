"""vllm.model_executor.layers.attention: the layers a graph's attention operators are named after."""
from _fusescope import environment, stubs


class _Implementation:
    """The attention backend, as far as passes ask: whether it can write quantised output."""

    def fused_output_quant_supported(self, *quant_key):
        return environment.answer("fused_output_quant_supported()", environment.flag("fused_output_quant_supported", True))

    def fused_rope_kvcache_supported(self):
        return environment.answer("fused_rope_kvcache_supported()", environment.flag("fused_rope_kvcache_supported", True))


class Attention:
    def __init__(self, num_heads, head_size, scale=None, num_kv_heads=None, prefix="", **kwargs):
        self.layer_name = prefix
        self.num_heads, self.head_size, self.num_kv_heads = num_heads, head_size, num_kv_heads or num_heads
        self.head_size_v = head_size
        self.impl = _Implementation()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stubs.missing("vllm.model_executor.layers.attention", f"Attention.{name}")


class MLAAttention(Attention):
    pass
