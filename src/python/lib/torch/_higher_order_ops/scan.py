"""scan in a trace: its body takes what is carried and one row of each input."""

from _fusescope import partial_modules as _partial
from _fusescope.torch_version import is_since
from torch._ops import ops
from torch.utils import _pytree

from ._branches import branch, call, closed_over, encoded, only_tensors, refuse_aliases, samples

scan_op = ops.higher_order.scan


def scan(combine_fn, init, xs, *, dim=0, reverse=False, length=None):
    import torch

    if length is not None:
        raise NotImplementedError("Fusescope cannot trace scan with a length")
    leaves, structure = _pytree.tree_flatten(xs)
    if not leaves:
        return init, []
    only_tensors("scan", init, xs)
    carried, carried_structure = _pytree.tree_flatten(init)
    if not carried:
        raise RuntimeError("scan() operator requires init leaves.")
    if any(x.ndim <= dim for x in leaves):
        raise RuntimeError("All xs leaves must have at least 'dim + 1' dimensions")
    dim %= leaves[0].ndim
    if dim != 0:
        leaves = [torch.movedim(x, dim, 0) for x in leaves]
    reverse = reverse and is_since("2.13")  # before, the operator reads its inputs backwards
    if reverse:
        leaves = [torch.flip(x, [0]) for x in leaves]
    own, sliced = samples(carried), samples(leaves, rows=True)
    inputs = [t._id for t in (*own, *sliced)]
    args = (_pytree.tree_unflatten(own, carried_structure), _pytree.tree_unflatten(sliced, structure))
    body, used, (carry, out) = branch(combine_fn, args, inputs, "list")
    refuse_aliases("scan", (*own, *sliced), (carry, out))
    closed = {"t": encoded(closed_over(used, inputs))}
    made = iter(call("scan", [body], encoded(t._id for t in carried), encoded(t._id for t in leaves), closed))
    carry = _pytree.tree_map(lambda _: next(made), carry)
    out = _pytree.tree_map(lambda _: next(made), out)
    if reverse:
        out = _pytree.tree_map(lambda t: t.flip([0]), out)
    if dim != 0:
        out = _pytree.tree_map(lambda t: torch.movedim(t, 0, dim) if dim < t.ndim else t, out)
    return carry, out


__getattr__ = _partial.of_pytorch(__name__, listed=False)
