"""torch._functorch.config: PyTorch's defaults, and values set by user code."""

import sys

from torch.utils._config_module import ConfigModule

from .config_defaults import DEFAULTS

config = ConfigModule(__name__, DEFAULTS)
config.__spec__, config.__loader__, config.__package__ = __spec__, __loader__, __package__
sys.modules[__name__] = config
