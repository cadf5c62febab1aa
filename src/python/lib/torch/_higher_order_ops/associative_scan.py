"""associative_scan in a trace: by calls of other operators, or as an operator with a body for one pair of rows."""

from _fusescope import partial_modules as _partial
from _fusescope.torch_version import is_since
from torch._ops import ops
from torch.utils import _pytree

from ._branches import branch, call, closed_over, encoded, only_tensors, samples

associative_scan_op = ops.higher_order.associative_scan


class BackendCompilerFailed(RuntimeError):
    __module__ = "torch._dynamo.exc"


def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    import torch

    leaves, structure = _pytree.tree_flatten(xs)
    if not callable(combine_fn):
        raise ValueError(f"Combine_fn must be a callable, but got {combine_fn}")
    if combine_mode not in ("pointwise", "generic"):
        raise ValueError(f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}")
    if not leaves:
        raise ValueError("Expected at least 1 xs leaf")
    only_tensors("associative_scan", xs)
    if not is_since("2.13"):
        # It compiled itself, and the inner trace has fake tensors of another mode.
        inner, outer = (f"<torch._subclasses.fake_tensor.FakeTensorMode object at {id(x):#x}>" for x in (leaves, xs))
        raise BackendCompilerFailed(
            f"backend='inductor' raised:\nAssertionError: fake mode ({inner}) from tracing context 0 doesn't match mode "
            f"({outer}) from fake tensor input 0"
        )
    dim %= leaves[0].ndim
    leaves = [torch.movedim(x, dim, 0) for x in leaves]
    if reverse:
        leaves = [torch.flip(x, [0]) for x in leaves]
    made = (_operator if combine_mode == "pointwise" else _by_halves)(combine_fn, leaves, structure)
    if reverse:
        made = [t.flip([0]) for t in made]
    return _pytree.tree_unflatten([torch.movedim(t, 0, dim) for t in made], structure)


def _operator(combine_fn, leaves, structure):
    left, right = samples(leaves, rows=True), samples(leaves, rows=True)
    inputs = [t._id for t in (*left, *right)]
    pair = [_pytree.tree_unflatten(side, structure) for side in (left, right)]
    body, used, _ = branch(combine_fn, pair, inputs, "list")
    closed = {"t": encoded(closed_over(used, inputs))}
    return list(call("associative_scan", [body], encoded(t._id for t in leaves), closed))


def _by_halves(combine_fn, leaves, structure):
    """Combines neighbors, scans the pairs, and combines each pair before a row with that row."""
    import torch

    cut = ops.aten.slice
    over_rows = torch.vmap(combine_fn, in_dims=0, out_dims=0)

    def combine(left, right):
        sides = [_pytree.tree_unflatten(side, structure) for side in (left, right)]
        return _pytree.tree_leaves(over_rows(*sides))

    def scanned(rows):
        length = rows[0].shape[0]
        if length < 2:
            return rows
        pairs = combine([cut(x, 0, 0, -1, 2) for x in rows], [cut(x, 0, 1, None, 2) for x in rows])
        odd = scanned(pairs)
        before = [cut(x, 0, 0, -1) for x in odd] if length % 2 == 0 else odd
        later = combine(before, [cut(x, 0, 2, None, 2) for x in rows])
        even = [_after_first(cut, x, y) for x, y in zip(rows, later)]
        return [_interleaved(cut, x, y) for x, y in zip(even, odd)]

    return scanned(leaves)


def _after_first(cut, rows, later):
    import torch

    if later.shape.numel() == 0:
        return cut(rows, 0, 0, 1)
    return torch.cat([cut(rows, 0, 0, 1), later], dim=0) if rows.shape[0] > 0 else later


def _interleaved(cut, even, odd):
    import torch

    longer = even.shape[0] == odd.shape[0] + 1
    if longer:
        odd = torch.nn.functional.pad(odd, [0] * (2 * odd.ndim - 1) + [1])
    both = torch.flatten(torch.stack([even, odd], dim=1), start_dim=0, end_dim=1)
    return cut(both, 0, 0, odd.shape[0] + even.shape[0] - 1) if longer else both


__getattr__ = _partial.of_pytorch(__name__, listed=False)
