"""Rotary embedding and the update of the KV cache, as one kernel."""
import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("cache", "FRAGMENT")
lib.define("update(Tensor key, Tensor value, str layer) -> Tensor")
lib.impl("update", lambda key, value, layer: key.new_empty(0), "CompositeExplicitAutograd")
C = torch.ops._C
patterns = PatternMatcherPass(pass_name="rope_kvcache_fusion")


def trace(fn, args, **options):
    """As Inductor's graphs are after grad: with reshape instead of view."""
    gm = fwd_only(fn, args, **options)
    view_to_reshape(gm)
    return gm


def search(query, key, value, positions, cache):
    at = auto_functionalized(
        C.rotary_embedding.default, positions=positions, query=query, key=key, head_size=128, cos_sin_cache=cache,
        is_neox=True,
    )
    q, k, v = at[1].reshape(-1, 32, 128), at[2].reshape(-1, 8, 128), value.reshape(-1, 8, 128)
    dummy = torch.ops.cache.update.default(k, v, "layers.0")
    return v, q, k, dummy


inputs = [
    torch.empty(4, 4096, dtype=torch.bfloat16),
    torch.empty(4, 1024, dtype=torch.bfloat16),
    torch.empty(4, 1024, dtype=torch.bfloat16),
    torch.empty(4, dtype=torch.int64),
    torch.empty(4096, 128, dtype=torch.bfloat16),
]
register_replacement(search, search, inputs, trace, patterns)
