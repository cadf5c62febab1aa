"""sglang.srt.configs.sglang_config: one configuration for all that compiles; adapted, as SGLang's is, from vLLM's."""
from vllm.config import (  # noqa: F401
    VllmConfig as SGLangConfig, get_current_vllm_config as get_current_sglang_config,
    set_current_vllm_config as set_current_sglang_config,
)
