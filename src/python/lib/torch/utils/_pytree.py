"""The part of torch.utils._pytree that passes use: lists, tuples, named tuples and dicts."""

from _fusescope import partial_modules as _partial


from typing import Any

PyTree = Any


def _is_leaf(tree):
    return not isinstance(tree, (list, tuple, dict))


def _rebuild(tree, items):
    if isinstance(tree, dict):
        return type(tree)(zip(tree, items))
    return type(tree)(*items) if hasattr(tree, "_fields") else type(tree)(items)


def _children(tree):
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
    keys = tuple(tree) if isinstance(tree, dict) else None
    return type(tree), keys, tuple(map(_structure, _children(tree)))


def tree_flatten(tree, is_leaf=None):
    return tree_leaves(tree, is_leaf), TreeSpec(tree)


def tree_unflatten(leaves, treespec):
    return treespec.unflatten(leaves)


__getattr__ = _partial.of_pytorch(__name__)
