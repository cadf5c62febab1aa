"""Attention whose output is quantized by the attention kernel."""
import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("serve", "FRAGMENT")
lib.define(
    "attention(Tensor query, Tensor key, Tensor value, Tensor! output, str layer, Tensor? output_scale=None,"
    " Tensor? cache_dep=None) -> ()"
)
lib.define("update_cache(Tensor key, Tensor value, str layer) -> Tensor")
lib.define("static_quant(Tensor! result, Tensor input, Tensor scale) -> ()")
for name, fn in {
    "attention": lambda query, key, value, output, layer, output_scale=None, cache_dep=None: None,
    "update_cache": lambda key, value, layer: key.new_empty(0),
    "static_quant": lambda result, input, scale: None,
}.items():
    torch.library.register_fake("serve::" + name, fn, lib=lib)
ops, FP8 = torch.ops.serve, torch.float8_e4m3fn
patterns = PatternMatcherPass(pass_name="attn_quant_fusion")


def trace(fn, args, **options):
    """As Inductor's graphs are after grad: with reshape instead of view."""
    gm = fwd_only(fn, args, **options)
    view_to_reshape(gm)
    return gm


def search(q, k, v, output, scale):
    at = auto_functionalized(
        ops.attention.default, query=q, key=k, value=v, output=output, layer="layers.0", output_scale=None
    )
    flat = at[1].reshape(-1, 512)
    result = torch.empty(flat.shape, dtype=FP8, device=q.device)
    return auto_functionalized(ops.static_quant.default, result=result, input=flat, scale=scale)[1]


def replace(q, k, v, output, scale):
    result = torch.empty(q.shape, dtype=FP8, device=q.device)
    at = auto_functionalized(
        ops.attention.default, query=q, key=k, value=v, output=result, layer="layers.0", output_scale=scale
    )
    return at[1].reshape(-1, 512)


half = dict(dtype=torch.bfloat16)
inputs = [torch.empty(5, 4, 128, **half) for _ in range(4)] + [torch.empty(1)]
register_replacement(search, replace, inputs, trace, patterns)
