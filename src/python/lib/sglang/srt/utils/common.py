from . import *  # noqa: F401, F403
from . import __getattr__, direct_register_custom_op, sglang_lib  # noqa: F401
