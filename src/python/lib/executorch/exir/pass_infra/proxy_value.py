"""executorch.exir.pass_infra.proxy_value."""

from torch._export.pass_infra.proxy_value import ProxyValue  # noqa: F401
