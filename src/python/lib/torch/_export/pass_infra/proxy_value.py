"""torch._export.pass_infra.proxy_value: a fake value beside the node that computes it."""

import torch
from torch.fx import Node, Proxy

_SYMBOLIC = (torch.SymInt, torch.SymFloat, torch.SymBool)


class ExportPassBaseError(RuntimeError):
    """torch._export.pass_base has it, too."""


class ProxyValue:
    def __init__(self, data, proxy):
        self.data, self.proxy_or_node = data, proxy

    @property
    def node(self):
        return self.proxy_or_node if isinstance(self.proxy_or_node, Node) else self.proxy_or_node.node

    @property
    def proxy(self):
        if not isinstance(self.proxy_or_node, Proxy):
            text = self.proxy_or_node.format_node()
            raise RuntimeError(f"ProxyValue doesn't have attached Proxy object. Node: {text}")
        return self.proxy_or_node

    def to_tensor(self):
        assert isinstance(self.data, torch.Tensor)
        return self.data

    def is_tensor(self):
        return isinstance(self.data, torch.Tensor)

    def _known(self, what):
        if isinstance(self.data, _SYMBOLIC):
            raise ExportPassBaseError(f"ProxyValue with {type(self.data).__name__} data cannot be {what}.")
        return self.data

    def __iter__(self):
        yield from self.data

    def __bool__(self):
        return bool(self._known("used in boolean context"))

    def __int__(self):
        return int(self._known("converted to int"))

    def __float__(self):
        return float(self._known("converted to float"))

    def __index__(self):
        return self.__int__()
