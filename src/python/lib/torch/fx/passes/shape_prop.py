"""torch.fx.passes.shape_prop: the metadata of each node's value, from a run of the graph over fake tensors."""

import torch
from _fusescope import partial_modules as _partial
from _fusescope.graph.tensor_metadata import TensorMetadata, _extract_tensor_metadata  # noqa: F401
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate


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
