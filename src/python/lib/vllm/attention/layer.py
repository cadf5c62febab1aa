"""Where vllm.attention was before."""
from _fusescope import stubs

stubs.moved(__name__, "vllm.attention")
