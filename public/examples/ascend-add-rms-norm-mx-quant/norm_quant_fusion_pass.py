"""AddRMSNorm, then quantisation to MX FP8: one operator where the chip and its runtime have it.

Three guards stand before the first pattern: the model's dtype, the chip, and the runtime's symbols. Change the
environment and see which of them keeps the pattern away.
"""

import npu_ops  # noqa: F401 - declares the operators
import torch
import torch_npu
from base_pattern import BasePattern
from npu_ops import FP8
from torch._inductor.pattern_matcher import PatternMatcherPass
from torch._subclasses.fake_tensor import FakeTensorMode
from vllm.config import VllmConfig
from vllm.logger import init_logger
from vllm_ascend.utils import AscendDeviceType, get_ascend_device_type

logger = init_logger(__name__)
npu = torch.ops.npu

NEEDED = ("npu_dynamic_mx_quant", "npu_add_rms_norm_dynamic_mx_quant")


class AddRMSNormDynamicMXQuantPattern(BasePattern):
    def get_inputs(self) -> list[torch.Tensor]:
        x = torch.empty(2, 64, dtype=torch.bfloat16)
        return [x, torch.empty_like(x), torch.empty(64, dtype=torch.bfloat16)]

    def get_pattern(self):
        def pattern(rms_norm_input: torch.Tensor, residual: torch.Tensor, rms_norm_weight: torch.Tensor):
            norm = npu.npu_add_rms_norm(rms_norm_input, residual, rms_norm_weight, self.eps)
            quantised = npu.npu_dynamic_mx_quant(norm[0], dst_type=FP8)
            return quantised[0], quantised[1], norm[2]

        return pattern

    def get_replacement(self):
        def replacement(rms_norm_input: torch.Tensor, residual: torch.Tensor, rms_norm_weight: torch.Tensor):
            fused = npu.npu_add_rms_norm_dynamic_mx_quant(
                rms_norm_input, residual, rms_norm_weight, epsilion=self.eps, dst_type=FP8
            )
            # The fused operator has the sum second; the pattern returned it last.
            return fused[0], fused[2], fused[1]

        return replacement


class AddRMSNormQuantFusionPass:
    def __init__(self, vllm_config: VllmConfig) -> None:
        self.pattern_match_passes = PatternMatcherPass(pass_name="rmsnorm_quant_fusion_pass")
        self.matched_count = 0
        dtype = vllm_config.model_config.dtype
        if dtype not in (torch.bfloat16, torch.float16):
            logger.warning("norm and quant are not fused: the model's dtype is %s", dtype)
            return
        if get_ascend_device_type() != AscendDeviceType.A5:
            logger.warning("norm and MX quant are not fused: the chip is %s", get_ascend_device_type().name)
            return
        missing = [name for name in NEEDED if not hasattr(torch_npu, name)]
        if missing:
            logger.warning("norm and MX quant are not fused: torch_npu lacks %s", ", ".join(missing))
            return
        with FakeTensorMode():  # tracing needs shapes and dtypes, not memory
            for eps in (1e-5, 1e-6):
                AddRMSNormDynamicMXQuantPattern(eps).register(self.pattern_match_passes)

    def __call__(self, graph: torch.fx.Graph) -> None:
        self.matched_count = self.pattern_match_passes.apply(graph)
        logger.debug("Replaced %s patterns", self.matched_count)


fusion = AddRMSNormQuantFusionPass(VllmConfig())
# Inductor's matcher applies these. With the flag enable_npugraph_ex the graph compiler fuses in its place, by the copies
# of the patterns that it was given.
patterns = fusion.pattern_match_passes
