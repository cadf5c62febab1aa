"""Where vllm.compilation.passes.utility.noop_elimination was before."""
from _fusescope import stubs

stubs.moved(__name__, "vllm.compilation.passes.utility.noop_elimination")
