"""torch.cond: traces both branches to graphs of their own, whose inputs are the operands and the tensors that they close over."""

from _fusescope import partial_modules as _partial
from _fusescope import wire
from torch._ops import ops
from torch._tensor import Tensor
from torch.utils import _pytree

from ._branches import add_name, branch, call, encoded, name_closure, ordered

cond_op = ops.higher_order.cond


def cond(pred, true_fn, false_fn, operands=()):
    if isinstance(pred, (bool, int, float)):
        return true_fn(*operands) if pred else false_fn(*operands)
    _check(pred, true_fn, false_fn, operands)
    names = _names(pred, true_fn, false_fn, operands)
    used = [branch(fn, operands, [])[1] for fn in (true_fn, false_fn)]
    inputs = ordered(used, names)
    (yes, _, tree), (no, _, other) = (branch(fn, operands, inputs) for fn in (true_fn, false_fn))
    if _structure(tree) != _structure(other):
        raise RuntimeError("torch.cond: Expected branches to return the same pytree structure.")
    made = iter(call("cond", [yes, no], wire.encode(pred), {"t": encoded(inputs)}))
    return _pytree.tree_map(lambda _: next(made), tree)


def _check(pred, true_fn, false_fn, operands):
    if not isinstance(pred, Tensor):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not callable(true_fn) or not callable(false_fn):
        raise RuntimeError("Expect both branches to be callable.")
    if not isinstance(operands, (tuple, list)) or not all(isinstance(t, Tensor) for t in _pytree.tree_leaves(operands)):
        raise RuntimeError(
            "Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of tensor leaves, but got "
            f"{operands}."
        )


def _names(pred, true_fn, false_fn, operands):
    """Dynamo's names of the tensors that a call holds, by id."""
    names = {pred._id: "l_args_0_"}
    add_name(names, operands, "l_args_3_")
    name_closure(names, 1, true_fn)
    name_closure(names, 2, false_fn)
    return names


def _structure(tree):
    return repr(_pytree.tree_map(lambda _: None, tree))


cond.__module__ = "torch"
__getattr__ = _partial.of_pytorch(__name__)
