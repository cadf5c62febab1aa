"""vllm.utils: the helpers that passes import, including the paths from before it was a package."""

from .math_utils import cdiv, round_down, round_up  # noqa: F401
from .system_utils import set_env_var, unique_filepath  # noqa: F401
from .torch_utils import direct_register_custom_op, is_torch_equal_or_newer  # noqa: F401
