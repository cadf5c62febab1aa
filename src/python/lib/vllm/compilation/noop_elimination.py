"""The former path of vllm.compilation.passes.utility.noop_elimination."""

from _fusescope import stubs

stubs.moved(__name__, "vllm.compilation.passes.utility.noop_elimination")
