"""executorch.exir.delegate: calls of a part of the graph that a backend runs."""

import torch

executorch_call_delegate = torch.ops.higher_order.executorch_call_delegate
LOWERED_BACKEND_MODULE_TYPE = "LoweredBackendModule"


def is_lowered_module(obj):
    return type(obj).__name__ == LOWERED_BACKEND_MODULE_TYPE


def get_lowered_module_name(root, lowered_module):
    """The name under which a lowered module is an attribute of the root; a new one where it is none."""
    for name, value in root.named_modules():
        if value is lowered_module:
            return name
    number = 0
    while hasattr(root, name := f"lowered_module_{number}"):
        number += 1
    root.add_module(name, lowered_module)
    return name
