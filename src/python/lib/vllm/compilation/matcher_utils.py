"""Where vllm.compilation.passes.fusion.matcher_utils was before."""
from _fusescope import stubs

stubs.moved(__name__, "vllm.compilation.passes.fusion.matcher_utils")
