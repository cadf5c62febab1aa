"""Where vllm.compilation.passes.inductor_pass was before."""
from _fusescope import stubs

stubs.moved(__name__, "vllm.compilation.passes.inductor_pass")
