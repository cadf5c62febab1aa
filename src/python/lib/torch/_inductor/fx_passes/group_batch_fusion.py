"""What pass files take from torch._inductor.fx_passes.group_batch_fusion."""

from torch._dynamo.utils import is_node_meta_valid  # noqa: F401
from . import names_of

PRE_GRAD_FUSIONS, POST_GRAD_FUSIONS = {}, {}


__getattr__ = names_of(__name__)
