"""The former path of vllm.attention."""

from _fusescope import stubs

stubs.moved(__name__, "vllm.attention")
