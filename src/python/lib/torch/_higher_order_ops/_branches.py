"""Branches of higher-order operators: graphs of their own, inside the trace of the function that calls the operator."""

from _fusescope import bridge, engine, frames, wire
from _fusescope.torch_version import is_since
from torch._tensor import Tensor
from torch._tensor.storage import place_of
from torch.utils import _pytree


def branch(fn, operands, inputs, returns="tuple"):
    """Traces one branch with these inputs first. Returns its number, the ids of the tensors from outside that it uses, and
    its result. `returns`: what its graph returns."""
    engine.branch(inputs)
    try:
        made = fn(*operands)
        leaves = [wire.encode(leaf) for leaf in _pytree.tree_leaves(made)]
        number, used = engine.branch_end(leaves, returns)
    except BaseException:
        engine.branch_abort()
        raise
    return number, used, made


def ordered(used, names):
    """Inputs of both branches: those that both use, then those of one, each sorted by the names that Dynamo gives them."""
    first, second = used
    name = {
        id: names.get(id, f"l_args_{1 if id in first else 2}_closure_~{i}") for i, id in enumerate([*first, *second])
    }
    both = [id for id in first if id in second]
    rest = [[id for id in ids if id not in both] for ids in used]
    return [id for ids in (both, *rest) for id in sorted(dict.fromkeys(ids), key=name.__getitem__)]


def encoded(ids):
    """The tensors of these ids, as wire.encode has them."""
    return [{"x": id} for id in ids]


def call(op, branches, *args):
    """Records a call with these branches and encoded arguments. Returns its outputs."""
    return wire.decode(engine.higher_order(op, branches, list(args), frames.user_place()))


def samples(tensors, rows=False):
    """What a body takes of each tensor, or the first row of it: tensors of their own, so that one that the body closes over
    as well is a further input."""
    return wire.decode(engine.samples([t._id for t in tensors], rows))


def name_closure(names, number, fn):
    """Adds Dynamo's names of what argument `number` closes over."""
    for i, cell in enumerate(getattr(fn, "__closure__", None) or ()):
        try:
            add_name(names, cell.cell_contents, f"l_args_{number}_closure_{i}_cell_contents")
        except ValueError:  # an empty cell
            pass


def add_name(names, value, name):
    """A tensor that is reached in two ways has the first name."""
    if isinstance(value, Tensor):
        names.setdefault(value._id, name)
    elif isinstance(value, (tuple, list, dict)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            add_name(names, item, f"{name}{key}_")


def only_tensors(what, *trees):
    leaves = [leaf for tree in trees for leaf in _pytree.tree_leaves(tree)]
    if not all(isinstance(leaf, Tensor) for leaf in leaves):
        raise NotImplementedError(f"Fusescope cannot trace {what} of values that are not tensors")


def refuse_aliases(op, inputs, results):
    """Raises as Dynamo does for a body that returns one of its inputs, or a view of it."""
    given = {place_of(t)[0] for t in inputs}
    if is_since("2.13") and any(
        isinstance(t, Tensor) and place_of(t)[0] in given for t in _pytree.tree_leaves(results)
    ):
        kind = f"torch._higher_order_ops.{op}.{op.title()}Op"
        where = f"<bound method HigherOrderOperator.name of <{kind} object at {id(op):#x}>>"
        raise bridge.exception(
            "UncapturedHigherOrderOpError",
            "This higher order operator doesn't work unless it is captured completely with torch.compile. Got graph break/error:\n\n"
            "Encountered aliasing during higher order op tracing\n"
            f"  Higher Order Operator: torch.ops.higher_order.{op}\n"
            f"  Explanation: Higher order ops do not support aliasing. Found in {where}\n"
            "  Hint: Replace `return input` with `return input.clone()` to avoid aliasing",
        )


def closed_over(used, inputs):
    """Ids of the tensors from outside that a body uses beyond its inputs."""
    return used[len(inputs) :]
