"""An operator that is registered under another name than its use."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("sglang_fused", "FRAGMENT")
lib.define("flashinfer_trtllm_fused_allreduce_norm(Tensor x, Tensor w) -> Tensor")
lib.impl("flashinfer_trtllm_fused_allreduce_norm", lambda x, w: torch.relu(x) * w, "CompositeExplicitAutograd")
FUSED = torch.ops.sglang_fused.flashinfer_allreduce_residual_rmsnorm.default
patterns = PatternMatcherPass(pass_name="collective_fusion")


def search(x, w):
    return torch.relu(x) * w


def replace(x, w):
    return FUSED(x, w)


register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16)], fwd_only, patterns)
