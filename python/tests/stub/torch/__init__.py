"""As much of PyTorch as the recorder touches when a pass goes over an empty graph: these tests need no PyTorch."""

import collections
import contextlib
import sys
import types

__version__ = "0.stub"


def _module(name, **members):
    module = sys.modules[f"torch.{name}"] = types.ModuleType(f"torch.{name}")
    vars(module).update(members)
    return module


def _classes(*names):
    return {name: type(name, (), {}) for name in names}


globals().update(_classes("dtype", "device", "layout", "memory_format", "SymInt", "SymFloat", "SymBool", "Tensor"))


class _Graph:
    nodes = ()
    owning_module = None


version = _module("version")
cuda = _module("cuda", is_initialized=lambda: False)
nn = _module("nn", **_classes("Parameter"))
_ops = _module("_ops", **_classes("OpOverload", "OpOverloadPacket", "HigherOrderOperator"))
_dynamo = _module("_dynamo")
_dynamo.utils = _module("_dynamo.utils", counters=collections.defaultdict(collections.Counter))
_functorch = _module("_functorch")
_functorch.config = _module("_functorch.config", patch=contextlib.nullcontext)
fx = _module("fx", Graph=_Graph, **_classes("Node", "GraphModule"))
fx.node = _module("fx.node", _get_qualified_name=lambda f: f.__name__)
fx.immutable_collections = _module("fx.immutable_collections", immutable_list=list)
