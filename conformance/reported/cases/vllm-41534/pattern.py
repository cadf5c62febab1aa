"""A norm and a quantization, once by the library's operator and once by vLLM's; without either, both trace alike."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("rocm2", "FRAGMENT")
lib.define("norm(Tensor x, Tensor weight) -> Tensor")
lib.define("token_quant(Tensor x) -> Tensor")
lib.define("norm_quant(Tensor x, Tensor weight) -> Tensor")
lib.impl("norm", lambda x, weight: x * weight, "CompositeExplicitAutograd")
lib.impl("token_quant", lambda x: torch.round(x).to(torch.int8), "CompositeExplicitAutograd")
lib.impl("norm_quant", lambda x, weight: torch.round(x * weight).to(torch.int8), "CompositeExplicitAutograd")
ops = torch.ops.rocm2
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")
QUANT_ENABLED = False


def register(by_library):
    def search(x, weight):
        out = ops.norm(x, weight)
        if QUANT_ENABLED and by_library:
            return ops.token_quant(out)
        return torch.round(out).to(torch.int8)

    def replace(x, weight):
        return ops.norm_quant(x, weight)

    register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16)], fwd_only, patterns)


for by_library in (True, False):
    register(by_library)
