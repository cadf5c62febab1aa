"""Where vllm.compilation.passes.vllm_inductor_pass was before."""
from _fusescope import stubs

stubs.moved(__name__, "vllm.compilation.passes.vllm_inductor_pass")
