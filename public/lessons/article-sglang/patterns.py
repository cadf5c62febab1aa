"""The pass of the proposal: a matrix product and silu_and_mul become one operator."""

import torch
import torch._inductor.pattern_matcher as pm
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2

kernels = torch.library.Library("sgl_kernel", "FRAGMENT")
kernels.define("silu_and_mul(Tensor! out, Tensor input) -> ()")
torch.library.register_fake("sgl_kernel::silu_and_mul", lambda out, input: None, lib=kernels)

fused = torch.library.Library("sglang", "FRAGMENT")
fused.define("fused_swiglu(Tensor x, Tensor w) -> Tensor")
# Shapes and dtypes only: the compiler calls this in place of the kernel.
torch.library.register_fake(
    "sglang::fused_swiglu", lambda x, w: x.new_empty(x.shape[0], w.shape[1] // 2), lib=fused
)

patterns = pm.PatternMatcherPass(pass_name="fused_swiglu")


def search(x, w):
    mm = torch.ops.aten.mm.default(x, w)
    result = torch.ops.aten.empty.memory_format(
        [mm.shape[0], mm.shape[1] // 2], dtype=mm.dtype, device=mm.device, pin_memory=False
    )
    at = auto_functionalized_v2(
        torch.ops.sgl_kernel.silu_and_mul.default, input=mm, _out_base_index=0, _all_bases=[result]
    )
    return at[1]


def replace(x, w):
    return torch.ops.sglang.fused_swiglu.default(x, w)


examples = [torch.empty(16, 16).half(), torch.empty(16, 16).half()]
pm.register_replacement(search, replace, examples, pm.fwd_only, patterns)
