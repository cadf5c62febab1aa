"""torch.distributed._ops.device_mesh: its import declares the operator that asks for the rank's coordinate when the graph runs."""

import torch

torch.library.define("device_mesh::_runtime_compute_coordinate_on_dim", "(Tensor full_mesh, int index) -> SymInt")
