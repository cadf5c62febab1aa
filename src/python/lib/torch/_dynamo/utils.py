"""torch._dynamo.utils: counters, fake modes, and graphs as text."""

import collections

from _fusescope import stubs

counters = collections.defaultdict(collections.Counter)


def lazy_format_graph_code(name, gm, maybe_id=None, **kwargs):
    return f"{name}: the panel Pipeline has the graph after each pass"


def detect_fake_mode(inputs=None):
    """The mode of the fake tensors among the inputs; there is only one mode."""
    from torch.utils import _pytree as pytree
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch import Tensor

    return FakeTensorMode() if any(isinstance(x, Tensor) for x in pytree.tree_leaves(inputs)) else None


def is_node_meta_valid(node):
    return node is None or "example_value" in node.meta or "val" in node.meta


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
