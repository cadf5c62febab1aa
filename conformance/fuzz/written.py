"""Hand-written pattern bodies, each on the graph of its own trace: regression tests for calls whose trace once differed from PyTorch's.

    generate.py written 0 COUNT        (COUNT: at least as many as there are bodies)
"""
import re

from . import traced

INPUTS = {"x": "torch.empty(4, 8)", "y": "torch.empty(4, 8)", "w": "torch.empty(8)", "i": "torch.empty(4, 8, dtype=torch.int64)"}
STRIDES = "return torch.empty_strided(h.shape, h.stride(), dtype=h.dtype), h"
BODIES = {
    "mask-write": "out = x.clone()\nout[y > 0] = 0\nreturn out",
    "mask-write-rows": "out = x.clone()\nout[y[:, 0] > 0] = y[0]\nreturn out",
    "mask-write-part": "out = x.clone()\nout[:2, y[0] > 0] = 0\nreturn out",
    "mask-write-cast": "out = i.clone()\nout[i > 3] = x[0, 0]\nreturn out",
    "index-add-alpha": "return x.index_add(0, torch.arange(2), y[:2], alpha=2)",
    "index-add-columns": "h = x.t().index_add(0, torch.arange(2), y.t()[:2])\n" + STRIDES,
    "index-add-bfloat16": "return x.bfloat16().t().index_add(0, torch.arange(2), y.bfloat16().t()[:2]).contiguous()",
    "index-add-scalar": "return x[0, 0].index_add(0, torch.tensor(0), y[0, 0])",
    "index-copy-columns": "return x.t().index_copy(0, torch.arange(2), y[:, :2].t())",
    "index-fill-columns": "h = x.t().index_fill(0, torch.arange(2), 2)\n" + STRIDES,
    "index-fill-gaps": "h = x.t()[:, ::2].index_fill(0, torch.arange(2), 2)\n" + STRIDES,
    "index-fill-scalar": "return x[0, 0].index_fill(0, torch.tensor(0), 1.0)",
    "scatter-columns": "h = x.t().scatter_add(0, i.t(), y.t())\n" + STRIDES,
    "gaussian-nll": "return F.gaussian_nll_loss(x, y, 0.5)",
    "gaussian-nll-full": "return F.gaussian_nll_loss(x, y, 0.5, full=True, reduction='none')",
    "poisson-nll": "return F.poisson_nll_loss(x, y)",
    "poisson-nll-full": "return F.poisson_nll_loss(x, y, log_input=False, full=True, reduction='sum')",
    "bce-weight": "return F.binary_cross_entropy(x, y, weight=w, reduction='sum')",
    "attention-unbatched-math": "return F.scaled_dot_product_attention(x.view(2, 2, 8), x.view(2, 2, 8), y.view(2, 2, 8)[..., ::2])",
    "softplus-float-beta": "return F.softplus(x, 1.0, 20.0)",
    "constant-rounded": "return torch.maximum(x, torch.tensor(1e-5))",
    "resize": "h = x.clone().resize_(2, 2)\nreturn h + h.as_strided(h.shape, h.stride())",
    "module-gelu": "return torch.nn.GELU(approximate='tanh')(x)",
    "module-relu": "return torch.nn.ReLU(inplace=True)(x.clone())",
    "module-softmax": "return torch.nn.Softmax(dim=-1)(x)",
    "module-dropout": "return torch.nn.Dropout(0.1)(x)",
    "module-layer-norm": "return torch.nn.LayerNorm(8)(x)",
    "module-rms-norm": "return torch.nn.RMSNorm(8)(x)",
    "attention-unbatched-mask": "return F.scaled_dot_product_attention(x.view(2, 2, 8), x.view(2, 2, 8), y.view(2, 2, 8)[..., ::2], attn_mask=y[0, :2] > 0)",
}


def make(rng, case_id):
    """The next body's spec; None after the last."""
    number = int(case_id.rsplit("-", 1)[1])
    if number >= len(BODIES):
        return None
    name, body = list(BODIES.items())[number]
    used = [n for n in INPUTS if re.search(rf"\b{n}\b", body)]
    examples = ", ".join(INPUTS[n] for n in used)
    written = "".join(f"    {line}\n" for line in body.splitlines())
    imports = "from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement\n"
    pattern = f"\n\ndef pattern({', '.join(used)}):\n{written}\n\ndef replacement({', '.join(used)}):\n    return {used[0]}.sin()\n\n\npatterns = PatternMatcherPass()\n"
    return {"id": f"written-{name}", "family": "written", "where": "fwd_only",
            "model_py": traced.HEAD + f"\n\ndef model({', '.join(used)}):\n{written}\n\ndef example_args():\n    return ({examples},)\n",
            "pattern_py": traced.HEAD + imports + pattern + f"register_replacement(pattern, replacement, [{examples}], fwd_only, patterns)\n"}
