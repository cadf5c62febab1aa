"""torch._inductor.config: PyTorch's defaults, and values set by user code."""

import sys

from _fusescope import environment
from torch.utils._config_module import ConfigModule

from .config_defaults import DEFAULTS


def _auto_functionalized_v2():
    return environment.answer(
        "torch._inductor.config.enable_auto_functionalized_v2", environment.functionalization() == "v2"
    )


config = ConfigModule(__name__, DEFAULTS, {"enable_auto_functionalized_v2": _auto_functionalized_v2})
config.__spec__, config.__loader__, config.__package__ = __spec__, __loader__, __package__
sys.modules[__name__] = config
