"""Settings of the stub: none."""

from contextlib import nullcontext as patch  # noqa: F401
