"""Attention writes FP8 at once, when its output is only reshaped and then quantised by a scale known beforehand."""

from typing import Optional

import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from sglang.srt.utils import direct_register_custom_op
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

FP8 = torch.float8_e4m3fn
HEADS, HEAD_DIM = 4, 32


def attention_with_output(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    output: torch.Tensor,
    layer_id: int,
    output_scale: Optional[torch.Tensor] = None,
) -> None:
    """The layer's number finds its cache. With a scale, `output` takes FP8 codes."""
    q, k, v = (t.transpose(0, 1) for t in (query, key, value))
    made = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(0, 1)
    output.copy_(made if output_scale is None else (made.float() / output_scale).clamp(-448, 448))


direct_register_custom_op(
    "attention_with_output",
    attention_with_output,
    mutates_args=["output"],
    fake_impl=lambda query, key, value, output, layer_id, output_scale=None: None,
)


def fwd_only_reshape(fn, args, **kwargs) -> torch.fx.GraphModule:
    """Traced as ever, then with aten.reshape for each aten.view, as Inductor leaves its graphs."""
    gm = fwd_only(fn, args, **kwargs)
    view_to_reshape(gm)
    return gm


class AttentionQuantPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)

        def pattern(q, k, v, output, codes, scale, layer_id):
            attention = auto_functionalized_v2(
                torch.ops.sglang.attention_with_output.default,
                query=q,
                key=k,
                value=v,
                layer_id=layer_id,
                output_scale=None,
                _output_base_index=0,
                _all_bases=[output],
            )
            flat = attention[1].view(-1, HEADS * HEAD_DIM)
            quant = auto_functionalized_v2(
                torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default,
                input=flat,
                output_s=scale,
                is_static=True,
                _output_q_base_index=0,
                _all_bases=[codes],
            )
            return quant[1]

        def replacement(q, k, v, output, codes, scale, layer_id):
            at = auto_functionalized_v2(
                torch.ops.sglang.attention_with_output.default,
                query=q,
                key=k,
                value=v,
                layer_id=layer_id,
                output_scale=scale,
                _output_base_index=0,
                _all_bases=[codes.view(-1, HEADS, HEAD_DIM)],
            )
            return at[1].view(-1, HEADS * HEAD_DIM)

        heads = [torch.empty(5, HEADS, HEAD_DIM, dtype=torch.float16) for _ in range(4)]
        examples = [*heads, torch.empty(5, HEADS * HEAD_DIM, dtype=FP8), torch.empty(1)]
        # The layer's number is an argument: a number that no node of the graph has stands for it while tracing.
        register_replacement(
            pattern, replacement, examples, fwd_only_reshape, self.patterns, scalar_workaround={"layer_id": 4711}
        )

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)


attention_quant = AttentionQuantPass()
