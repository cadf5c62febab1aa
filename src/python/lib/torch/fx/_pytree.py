"""torch.fx._pytree: the leaves of a tree, by the specification of another one of its shape."""

from torch.utils._pytree import tree_leaves

SUPPORTED_NODES = {}


def register_pytree_flatten_spec(cls, flatten_fn_spec, flatten_fn_exact_match_spec=None):
    SUPPORTED_NODES[cls] = flatten_fn_spec


def tree_flatten_spec(pytree, spec):
    return tree_leaves(pytree)
