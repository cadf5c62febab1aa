"""map in a trace: its body takes one row of each input."""

from _fusescope import partial_modules as _partial
from torch._ops import ops
from torch._tensor import Tensor
from torch.utils import _pytree

from ._branches import branch, call, closed_over, encoded, samples

map_impl = ops.higher_order.map_impl


def map(f, xs, *args):
    leaves, structure = _pytree.tree_flatten(xs)
    if not all(isinstance(t, Tensor) for t in leaves):
        raise RuntimeError(f"Mapped xs can only consist of tensors. Got xs {leaves}.")
    shapes = [t.shape for t in leaves]
    if shapes[0][0] == 0:
        raise RuntimeError("Leading dimensions of mapped xs cannot be 0.")
    if any(shape[0] != shapes[0][0] for shape in shapes):
        raise RuntimeError(f"Leading dimensions of mapped xs must be consistent. Got shapes {shapes}.")
    sliced = samples(leaves, rows=True)
    others, others_structure = _pytree.tree_flatten(args)
    same = [t for t in others if isinstance(t, Tensor)]
    own = samples(same)
    replaced = iter(own)
    others = [next(replaced) if isinstance(t, Tensor) else t for t in others]
    inputs = [t._id for t in (*sliced, *own)]
    given = (_pytree.tree_unflatten(sliced, structure), *_pytree.tree_unflatten(others, others_structure))
    body, used, tree = branch(f, given, inputs)
    rest = encoded([*(t._id for t in same), *closed_over(used, inputs)])
    made = iter(call("map_impl", [body], encoded(t._id for t in leaves), rest))
    return _pytree.tree_map(lambda _: next(made), tree)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
