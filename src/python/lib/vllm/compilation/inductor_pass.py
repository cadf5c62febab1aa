"""The former path of vllm.compilation.passes.inductor_pass."""

from _fusescope import stubs

stubs.moved(__name__, "vllm.compilation.passes.inductor_pass")
