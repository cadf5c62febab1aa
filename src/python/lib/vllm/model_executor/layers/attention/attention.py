"""The former path of vllm.model_executor.layers.attention."""

from _fusescope import stubs

stubs.moved(__name__, "vllm.model_executor.layers.attention")
