"""executorch.exir.pass_infra.node_metadata."""

from torch._export.pass_infra.node_metadata import NodeMetadata  # noqa: F401
