"""torch.fx.passes.shape_prop: the metadata of each node's value, from a run of the graph over fake tensors."""
from typing import NamedTuple

import torch
from _fusescope import partial_modules as _partial
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate


class TensorMetadata(NamedTuple):
    shape: object
    dtype: object
    requires_grad: bool
    stride: tuple
    memory_format: object
    is_quantized: bool
    qparams: dict


def _extract_tensor_metadata(result, include_contiguity=True):
    formats = (torch.contiguous_format, torch.channels_last, torch.channels_last_3d)
    found = next((f for f in formats if result.is_contiguous(memory_format=f)), None) if include_contiguity else None
    return TensorMetadata(result.shape, result.dtype, result.requires_grad, result.stride(), found, result.is_quantized, {})


class ShapeProp(Interpreter):
    def __init__(self, gm, fake_mode=None):
        super().__init__(gm)
        self.fake_mode, self.real_module, self.fake_module = fake_mode, gm, None

    def run_node(self, n):
        try:
            result = super().run_node(n)
        except Exception as e:
            raise RuntimeError(f"ShapeProp error for: node={n.format_node()} with meta={n.meta}") from e
        found = []

        def metadata(value):
            if not isinstance(value, torch.Tensor):
                return value
            found.append(value)
            return _extract_tensor_metadata(value)

        meta = map_aggregate(result, metadata)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        return super().run(*args)


__getattr__ = _partial.of_pytorch(__name__)
