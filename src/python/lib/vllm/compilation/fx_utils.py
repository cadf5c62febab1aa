"""The former path of vllm.compilation.passes.fx_utils."""

from _fusescope import stubs

stubs.moved(__name__, "vllm.compilation.passes.fx_utils")
