"""The part of torch.utils._pytree that passes use: lists, tuples, named tuples, dicts and registered classes."""

from _fusescope import partial_modules as _partial


from typing import Any

PyTree = Context = Any

_registered = {}  # class → (its children and context of an object, an object of those)


def register_pytree_node(cls, flatten_fn, unflatten_fn, **options):
    if cls in _registered or cls in (list, tuple, dict):
        raise ValueError(f"{cls} is already registered as pytree node.")
    _registered[cls] = flatten_fn, unflatten_fn


_register_pytree_node = register_pytree_node


def _deregister_pytree_node(cls):
    del _registered[cls]


def _is_leaf(tree):
    return type(tree) not in _registered and not isinstance(tree, (list, tuple, dict))


def _rebuild(tree, items):
    if type(tree) in _registered:
        flatten, unflatten = _registered[type(tree)]
        return unflatten(items, flatten(tree)[1])
    if isinstance(tree, dict):
        return type(tree)(zip(tree, items))
    return type(tree)(*items) if hasattr(tree, "_fields") else type(tree)(items)


def _children(tree):
    if type(tree) in _registered:
        return list(_registered[type(tree)][0](tree)[0])
    return list(tree.values()) if isinstance(tree, dict) else list(tree)


def tree_map(func, tree, *rests, is_leaf=None):
    if _is_leaf(tree) or (is_leaf is not None and is_leaf(tree)):
        return func(tree, *rests)
    others = [_children(r) for r in rests]
    made = [tree_map(func, c, *(o[i] for o in others), is_leaf=is_leaf) for i, c in enumerate(_children(tree))]
    return _rebuild(tree, made)


def tree_map_only(kind, func, tree, is_leaf=None):
    return tree_map(lambda v: func(v) if isinstance(v, kind) else v, tree, is_leaf=is_leaf)


def tree_leaves(tree, is_leaf=None):
    if _is_leaf(tree) or (is_leaf is not None and is_leaf(tree)):
        return [tree]
    return [leaf for child in _children(tree) for leaf in tree_leaves(child, is_leaf)]


tree_iter = tree_leaves


def arg_tree_leaves(*args, **kwargs):
    return [*tree_leaves(args), *tree_leaves(kwargs)]


def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls the function on each leaf; returns the tree as it was."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only_(kind, func, tree, is_leaf=None):
    tree_map_only(kind, func, tree, is_leaf=is_leaf)
    return tree


def tree_any_only(kind, pred, tree, is_leaf=None):
    return any(pred(v) for v in tree_leaves(tree, is_leaf) if isinstance(v, kind))


def tree_all_only(kind, pred, tree, is_leaf=None):
    return all(pred(v) for v in tree_leaves(tree, is_leaf) if isinstance(v, kind))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


class TreeSpec:
    def __init__(self, tree):
        self._tree = tree
        self.num_leaves = len(tree_leaves(tree))

    def unflatten(self, leaves):
        it = iter(leaves)
        return tree_map(lambda _: next(it), self._tree)

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and _structure(self._tree) == _structure(other._tree)

    def __hash__(self):
        return hash(_structure(self._tree))


def _structure(tree):
    """The containers of a tree without its leaves."""
    if _is_leaf(tree):
        return None
    own = _registered.get(type(tree))
    keys = repr(own[0](tree)[1]) if own else tuple(tree) if isinstance(tree, dict) else None
    return type(tree), keys, tuple(map(_structure, _children(tree)))


def tree_flatten(tree, is_leaf=None):
    return tree_leaves(tree, is_leaf), TreeSpec(tree)


def tree_structure(tree, is_leaf=None):
    return TreeSpec(tree)


def tree_unflatten(leaves, treespec):
    return treespec.unflatten(leaves)


__getattr__ = _partial.of_pytorch(__name__)
