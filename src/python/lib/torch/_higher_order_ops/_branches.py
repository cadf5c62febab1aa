"""Branches of higher-order operators: graphs of their own, inside the trace of the function that calls the operator."""

from _fusescope import engine, frames, wire
from torch._tensor import Tensor
from torch.utils import _pytree


def branch(fn, operands, inputs):
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


def rows(tensors):
    """What a body takes of each tensor: the first row."""
    return wire.decode(engine.rows([t._id for t in tensors]))


def only_tensors(what, *trees):
    leaves = [leaf for tree in trees for leaf in _pytree.tree_leaves(tree)]
    if not all(isinstance(leaf, Tensor) for leaf in leaves):
        raise NotImplementedError(f"Fusescope cannot trace {what} of values that are not tensors")


def beyond(used, inputs):
    """Ids of the tensors that a body closes over."""
    return [id for id in used if id not in inputs]
