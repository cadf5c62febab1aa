"""What pass files take from torch._inductor.fx_passes.group_batch_fusion."""

from _fusescope import stubs
from torch._dynamo.utils import is_node_meta_valid  # noqa: F401

PRE_GRAD_FUSIONS, POST_GRAD_FUSIONS = {}, {}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
