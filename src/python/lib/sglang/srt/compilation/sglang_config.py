from _fusescope import stubs

stubs.moved(__name__, "sglang.srt.configs.sglang_config")
