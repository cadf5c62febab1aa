"""packaging.version: versions and their order."""

from _fusescope import stubs
from torch._vendor.packaging import version as _version
from torch._vendor.packaging.version import InvalidVersion, Version  # noqa: F401


def parse(version):
    # A branch on the version of what is missing has no answer.
    return version._no_value() if isinstance(version, stubs.Stub) else _version.parse(version)
