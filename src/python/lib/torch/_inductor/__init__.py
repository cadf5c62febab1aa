"""torch._inductor: the pattern matcher, and a configuration that remembers what it is told."""
from . import config, pattern_matcher  # noqa: F401
