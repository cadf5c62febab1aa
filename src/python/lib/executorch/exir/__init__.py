"""executorch.exir: passes on exported programs."""

from torch.export import ExportedProgram  # noqa: F401
