"""A table of quantization operators by dtype, and a pattern that asserts its entry."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.platforms import current_platform

FP8 = current_platform.fp8_dtype()
QUANT_OPS = {torch.float8_e4m3fn: torch.relu}
patterns = PatternMatcherPass(pass_name="act_quant_fusion")


class ActQuantPattern:
    def __init__(self, dtype):
        assert dtype in QUANT_OPS, f"unsupported quantization scheme {dtype}"
        self.act = QUANT_OPS[dtype]

    def register(self):
        def search(x, scale):
            return self.act(x) * scale

        def replace(x, scale):
            return torch.clamp_min(x, 0) * scale

        inputs = [torch.empty(4, 16, dtype=torch.bfloat16), torch.empty(1)]
        register_replacement(search, replace, inputs, fwd_only, patterns)


ActQuantPattern(FP8).register()
