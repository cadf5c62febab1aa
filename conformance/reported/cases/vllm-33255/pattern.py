"""A norm and the quantization in groups after it. The scales of the model have the layout that a matmul wants."""
import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

C = torch.ops._C
FP8 = torch.float8_e4m3fn
patterns = PatternMatcherPass(pass_name="norm_quant_fusion")


class FusedAddRMSNormGroupQuant:
    def __init__(self, epsilon, group_size):
        self.epsilon, self.group_size = epsilon, group_size

    def register(self):
        def pattern(input, weight, residual):
            _, norm, residual = auto_functionalized(
                C.fused_add_rms_norm.default, input=input, residual=residual, weight=weight, epsilon=self.epsilon
            )
            result = torch.empty(norm.shape, device=norm.device, dtype=FP8)
            scale = torch.empty((norm.shape[0], norm.shape[1] // self.group_size), device=norm.device, dtype=torch.float32)
            _, result, scale = auto_functionalized(
                C.per_token_group_fp8_quant.default, input=norm, output_q=result, output_s=scale,
                group_size=self.group_size, eps=1e-10, fp8_min=-448.0, fp8_max=448.0, scale_ue8m0=False,
            )
            return result, residual, scale

        inputs = [
            torch.empty(4, 256, dtype=torch.bfloat16, device="cuda"),
            torch.empty(256, dtype=torch.bfloat16, device="cuda"),
            torch.empty(4, 256, dtype=torch.bfloat16, device="cuda"),
        ]
        register_replacement(pattern, pattern, inputs, fwd_only, patterns)


for epsilon in (1e-5, 1e-6):
    for group_size in (64, 128):
        FusedAddRMSNormGroupQuant(epsilon, group_size).register()
