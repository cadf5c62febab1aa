"""torch.fx.experimental._config: the options of symbolic shapes. The tracer's rules do not read them."""

import sys

from torch.utils._config_module import ConfigModule

config = ConfigModule(
    __name__,
    {
        "translation_validation": False,
        "translation_validation_timeout": 600000,
        "translation_validation_no_bisect": False,
        "validate_shape_env_version_key": False,
        "symbol_guard_limit_before_specialize": None,
        "print_specializations": False,
        "use_duck_shape": True,
        "meta_nonstrict_testing": False,
        "backed_size_oblivious": False,
        "no_data_dependent_graph_break": False,
    },
)
config.__spec__, config.__loader__, config.__package__ = __spec__, __loader__, __package__
sys.modules[__name__] = config
