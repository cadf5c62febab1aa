"""torch._inductor.utils: questions about devices, nodes and operators that passes ask."""

import operator

import torch
from torch.utils._ordered_set import OrderedSet

GPU_TYPES = ["cuda", "mps", "xpu", "mtia"]
SUPPORTED_MKLDNN_DEVICES = ("cpu", "xpu")
OPTIMUS_EXCLUDE_POST_GRAD = ["activation_quantization_aten_pass", "inductor_autotune_lookup_table"]


def is_gpu(device):
    return device in GPU_TYPES


def is_cpu_device(inputs):
    return all(x.device == torch.device("cpu") for x in inputs if isinstance(x, torch.Tensor))


def ceildiv(number, denom):
    return -(number // -denom)


def pad_listlike(x, size):
    if isinstance(x, int):
        return [x] * size
    return type(x)([x[0]]) * size if len(x) == 1 else x


def is_view(op):
    """True if an argument of the operator has an alias set."""
    return any(a.alias_info is not None for a in op._schema.arguments)


def is_pointwise_use(use, is_pointwise_fn=lambda _: False):
    """True for a call of a pointwise operator; a view or an item is one if all its users are."""
    target = use.target
    if use.op != "call_function" or not (isinstance(target, torch._ops.OpOverload) or target is operator.getitem):
        return False
    if target is operator.getitem or is_view(target):
        return all(is_pointwise_use(user, is_pointwise_fn) for user in use.users)
    return torch.Tag.pointwise in target.tags or is_pointwise_fn(target)


def is_collective(node, op=None):
    """True for a kernel of Inductor that is a collective; a node of a graph is none, as in PyTorch."""
    return False


def output_node(gm):
    last = next(iter(reversed(gm.graph.nodes)))
    if last.op != "output":
        raise AssertionError(f"Expected last node op to be 'output', got {last.op!r}")
    return last


def get_all_devices(gm):
    """The devices of the graph's inputs, then those of its outputs."""
    results = output_node(gm).args[0]
    nodes = [*gm.graph.find_nodes(op="placeholder"), *(results if isinstance(results, tuple) else (results,))]
    values = [n.meta.get("val") for n in nodes if isinstance(n, torch.fx.Node)]
    return OrderedSet(v.device for v in values if isinstance(v, torch.Tensor))


def __getattr__(name):
    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("DeferredLineBase", "IndentedBuffer", "LineContext", "ValueWithLineMap"):
        from torch.utils import _indented_buffer

        return getattr(_indented_buffer, name)
    return stubs.missing(__name__, name)
