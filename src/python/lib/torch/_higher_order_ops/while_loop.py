"""while_loop in a trace: its condition and its body, with what they close over as further inputs of both."""

from _fusescope import partial_modules as _partial
from torch.utils import _pytree

from ._branches import beyond, branch, call, encoded, only_tensors, ordered


def while_loop(cond_fn, body_fn, carried_inputs):
    if not callable(cond_fn) or not callable(body_fn):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    if not isinstance(carried_inputs, (tuple, list)):
        raise RuntimeError(f"Expect carried_inputs to be a tuple of inputs but got {carried_inputs}")
    only_tensors("while_loop", carried_inputs)
    carried = [t._id for t in _pytree.tree_leaves(carried_inputs)]
    used = [beyond(branch(fn, carried_inputs, carried)[1], carried) for fn in (cond_fn, body_fn)]
    closed = ordered(used, {})
    inputs = [*carried, *closed]
    (test, _, _), (body, _, made) = (branch(fn, carried_inputs, inputs) for fn in (cond_fn, body_fn))
    outputs = iter(call("while_loop", [test, body], {"t": encoded(carried)}, {"t": encoded(closed)}))
    return _pytree.tree_map(lambda _: next(outputs), made)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
