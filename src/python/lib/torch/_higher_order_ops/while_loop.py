"""while_loop in a trace: its condition and its body, with what they close over as further inputs of both."""

from _fusescope import partial_modules as _partial
from torch._ops import ops
from torch.utils import _pytree

from ._branches import branch, call, closed_over, encoded, name_closure, only_tensors, ordered, samples

while_loop_op = ops.higher_order.while_loop


def while_loop(cond_fn, body_fn, carried_inputs):
    if not callable(cond_fn) or not callable(body_fn):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    if not isinstance(carried_inputs, (tuple, list)):
        raise RuntimeError(f"Expect carried_inputs to be a tuple of inputs but got {carried_inputs}")
    only_tensors("while_loop", carried_inputs)
    leaves, structure = _pytree.tree_flatten(carried_inputs)
    own = samples(leaves)
    args, given = _pytree.tree_unflatten(own, structure), [t._id for t in own]
    names = {}
    name_closure(names, 0, cond_fn)
    name_closure(names, 1, body_fn)
    used = [closed_over(branch(fn, args, given)[1], given) for fn in (cond_fn, body_fn)]
    closed = ordered(used, names)
    inputs = [*given, *closed]
    test, _, _ = branch(cond_fn, args, inputs, "tensor")
    body, _, made = branch(body_fn, args, inputs)
    carried = [t._id for t in leaves]
    outputs = iter(call("while_loop", [test, body], {"t": encoded(carried)}, {"t": encoded(closed)}))
    return _pytree.tree_map(lambda _: next(outputs), made)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
