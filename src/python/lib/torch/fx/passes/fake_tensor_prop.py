"""torch.fx.passes.fake_tensor_prop: the value of each node, from a run of the graph over fake tensors."""

import torch
from _fusescope import partial_modules as _partial
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate

_KEPT = (torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool, int, float, bool)


class FakeTensorProp(Interpreter):
    def __init__(self, module, mode=None):
        super().__init__(module)
        self._mode = FakeTensorMode() if mode is None else mode

    def run_node(self, n):
        result = super().run_node(n)
        meta = map_aggregate(result, lambda value: value if isinstance(value, _KEPT) else None)
        if meta is not None:
            n.meta["val"] = meta
        return result

    def propagate(self, *args):
        return self.propagate_dont_convert_inputs(*args)

    def propagate_dont_convert_inputs(self, *args):
        return super().run(*args)


__getattr__ = _partial.of_pytorch(__name__)
