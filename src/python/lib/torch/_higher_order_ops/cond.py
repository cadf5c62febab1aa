"""torch.cond: traces both branches to graphs of their own, whose inputs are the operands and the tensors that they close over."""

from _fusescope import engine, frames, wire
from _fusescope import partial_modules as _partial
from torch._ops import ops
from torch._tensor import Tensor
from torch.utils import _pytree

cond_op = ops.higher_order.cond


def cond(pred, true_fn, false_fn, operands=()):
    if isinstance(pred, (bool, int, float)):
        return true_fn(*operands) if pred else false_fn(*operands)
    _check(pred, true_fn, false_fn, operands)
    names = _names(pred, true_fn, false_fn, operands)
    used = [_branch(fn, operands, [])[1] for fn in (true_fn, false_fn)]
    inputs = _ordered(used, names)
    (yes, _, tree), (no, _, other) = (_branch(fn, operands, inputs) for fn in (true_fn, false_fn))
    if _structure(tree) != _structure(other):
        raise RuntimeError("torch.cond: Expected branches to return the same pytree structure.")
    answer = engine.cond(wire.encode(pred), [yes, no], inputs, frames.user_place())
    made = iter(wire.decode(answer))
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


def _branch(fn, operands, inputs):
    """Traces one branch with these inputs first. Returns its number, the ids of the tensors from outside that it uses, and
    its result."""
    engine.branch(inputs)
    try:
        made = fn(*operands)
        number, used = engine.branch_end([wire.encode(leaf) for leaf in _pytree.tree_leaves(made)])
    except BaseException:
        engine.branch_abort()
        raise
    return number, used, made


def _ordered(used, names):
    """Inputs of both branches: those that both use, then those of one, each sorted by the names that Dynamo gives them."""
    first, second = used
    name = {
        id: names.get(id, f"l_args_{1 if id in first else 2}_closure_~{i}") for i, id in enumerate([*first, *second])
    }
    both = [id for id in first if id in second]
    rest = [[id for id in ids if id not in both] for ids in used]
    return [id for ids in (both, *rest) for id in sorted(dict.fromkeys(ids), key=name.__getitem__)]


def _names(pred, true_fn, false_fn, operands):
    """Dynamo's names of the tensors that a call holds, by id. A tensor that is reached in two ways has the first name."""
    names = {pred._id: "l_args_0_"}

    def add(value, name):
        if isinstance(value, Tensor):
            names.setdefault(value._id, name)
        elif isinstance(value, (tuple, list, dict)):
            for key, item in value.items() if isinstance(value, dict) else enumerate(value):
                add(item, f"{name}{key}_")

    add(operands, "l_args_3_")
    for number, fn in ((1, true_fn), (2, false_fn)):
        for i, cell in enumerate(getattr(fn, "__closure__", None) or ()):
            try:
                add(cell.cell_contents, f"l_args_{number}_closure_{i}_cell_contents")
            except ValueError:  # an empty cell
                pass
    return names


def _structure(tree):
    return repr(_pytree.tree_map(lambda _: None, tree))


cond.__module__ = "torch"
__getattr__ = _partial.of_pytorch(__name__)
