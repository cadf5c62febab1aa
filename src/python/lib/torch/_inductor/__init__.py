"""torch._inductor: the pattern matcher and its configuration."""
from . import config, pattern_matcher  # noqa: F401
