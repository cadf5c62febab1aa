"""The levels of torch.func, and torch.vmap: the mapped function runs once, on tensors whose batch dimension is hidden."""

import contextlib
import functools

from _fusescope import engine, wire
from torch._tensor import Tensor
from torch.utils import _pytree

_depth = 0


def in_transform():
    return _depth > 0


@contextlib.contextmanager
def level(kind):
    """A level of torch.func: what runs in it passes through `kind`."""
    global _depth
    _depth = engine.level(kind)
    try:
        yield _depth
    finally:
        engine.level_end()
        _depth -= 1


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    if chunk_size is not None or randomness != "error":
        raise NotImplementedError(
            f"Fusescope's torch.vmap does not support {'randomness' if chunk_size is None else 'chunk_size'}"
        )

    @functools.wraps(func)
    def mapped(*args, **kwargs):
        return _run(func, in_dims, out_dims, args, kwargs)

    return mapped


def _run(func, in_dims, out_dims, args, kwargs):
    leaves, tree = _pytree.tree_flatten(args)
    dims = _checked(func, in_dims, args, leaves)
    sizes = [leaf.shape[dim] for leaf, dim in zip(leaves, dims) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension"
        )
    with level("vmap") as depth:
        batched = [
            leaf if dim is None else wire.decode(engine.batch(leaf._id, dim, depth)) for leaf, dim in zip(leaves, dims)
        ]
        made = func(*tree.unflatten(batched), **kwargs)
        return _results(func, made, out_dims, sizes[0])


def _checked(func, in_dims, args, leaves):
    """The mapped dimension of each leaf, None for one that is not mapped."""
    call = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{call}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"{call}: got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function with no inputs. The latter is unsupported."
        )
    spread = _spread(in_dims, args)
    if spread is None:
        raise ValueError(
            f"{call}: in_dims is not compatible with the structure of `inputs`. in_dims has structure {_shape_of(in_dims)} but inputs has structure {_shape_of(args)}."
        )
    dims = []
    for leaf, dim in zip(leaves, spread):
        if dim is not None and not isinstance(dim, int):
            raise ValueError(
                f"{call}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if dim is not None and not isinstance(leaf, Tensor):
            raise ValueError(
                f"{call}: Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
        if dim is not None and not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(
                f"{call}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {leaf.dim()} so expected "
                f"in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}."
            )
        dims.append(dim if dim is None or dim >= 0 else dim + leaf.dim())
    return dims


def _spread(dims, tree):
    """One dimension per leaf of `tree`; None if the structures differ."""
    if isinstance(dims, int) or dims is None:
        return [dims for _ in _pytree.tree_leaves(tree)]
    if type(dims) is not type(tree) or len(dims) != len(tree) or isinstance(tree, dict) and dims.keys() != tree.keys():
        return None
    pairs = [(dims[key], tree[key]) for key in tree] if isinstance(tree, dict) else list(zip(dims, tree))
    parts = [_spread(d, t) for d, t in pairs]
    return None if any(part is None for part in parts) else [dim for part in parts for dim in part]


def _results(func, made, out_dims, size):
    leaves, tree = _pytree.tree_flatten(made)
    single = isinstance(made, Tensor)
    spread = _spread(out_dims[0] if single and isinstance(out_dims, tuple) and len(out_dims) == 1 else out_dims, made)
    if spread is None:
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of `outputs`. out_dims has structure {_shape_of(out_dims)} but outputs has structure {_shape_of(made)}."
        )
    return tree.unflatten([_result(func, leaf, dim, size) for leaf, dim in zip(leaves, spread)])


def _result(func, leaf, dim, size):
    if dim is None:
        if isinstance(leaf, Tensor) and engine.batched(leaf._id):
            raise ValueError(
                f"vmap({_name(func)}, ...): `{_name(func)}` can not return a BatchedTensor when out_dim is None"
            )
        return leaf
    if not isinstance(leaf, Tensor):
        raise ValueError(
            f"vmap({_name(func)}, ...): `{_name(func)}` must only return Tensors, got type {type(leaf)}. Did you mean to set out_dims= to None for output?"
        )
    return wire.decode(engine.unbatch(leaf._id, _depth, dim, wire.encode(size)))


def _name(func):
    if isinstance(func, functools.partial):
        return f"functools.partial({_name(func.func)}, ...)"
    return getattr(func, "__name__", None) or repr(func)


def _shape_of(tree):
    return repr(_pytree.tree_map(lambda _: "*", tree)).replace("'", "")


def refuse_values(tensor, what):
    """Values of a batched tensor decide nothing, as in functorch."""
    if _depth == 0 or not engine.batched(tensor._id):
        return
    if what == "item":
        raise RuntimeError(
            "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, "
            "please try to rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch "
            "internals, please file a bug report."
        )
    raise RuntimeError(
        "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that yet, "
        "please file an issue at https://github.com/pytorch/pytorch/issues ."
    )
