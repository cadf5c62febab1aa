"""sglang.srt.configs.sglang_config: the configuration of the compilation; adapted from vLLM's, as in SGLang."""

from vllm.config import (  # noqa: F401
    VllmConfig as SGLangConfig,
    get_current_vllm_config as get_current_sglang_config,
    set_current_vllm_config as set_current_sglang_config,
)
