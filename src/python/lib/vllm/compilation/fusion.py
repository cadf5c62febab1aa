"""Where vllm.compilation.passes.fusion.rms_quant_fusion was before."""
from _fusescope import stubs

stubs.moved(__name__, "vllm.compilation.passes.fusion.rms_quant_fusion")
