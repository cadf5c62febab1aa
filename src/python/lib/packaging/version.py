"""packaging.version: versions and their order."""

from torch._vendor.packaging.version import InvalidVersion, Version, parse  # noqa: F401
