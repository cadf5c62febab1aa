"""vllm_ascend.ascend_config: the compilation settings."""

from _fusescope import environment


class AscendCompilationConfig:
    """Flags of the environment, else vLLM-Ascend's defaults."""

    _DEFAULTS = {
        "enable_npugraph_ex": False,
        "enable_static_kernel": False,
        "fuse_norm_quant": True,
        "fuse_qknorm_rope": True,
        "fuse_allreduce_rms": False,
        "fuse_muls_add": True,
    }

    def __getattr__(self, name):
        if name not in self._DEFAULTS and name not in environment.flags():
            raise AttributeError(f"'AscendCompilationConfig' object has no attribute {name!r}")
        found = environment.flag(name, self._DEFAULTS.get(name))
        return environment.answer(f"ascend_compilation_config.{name}", found)


class AscendConfig:
    def __init__(self):
        self.ascend_compilation_config = AscendCompilationConfig()


def get_ascend_config():
    return AscendConfig()
