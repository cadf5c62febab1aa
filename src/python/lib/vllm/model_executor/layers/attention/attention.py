"""Where vllm.model_executor.layers.attention was before."""
from _fusescope import stubs

stubs.moved(__name__, "vllm.model_executor.layers.attention")
