"""Inputs of a trace, as in make_fx: a function of flat arguments, and the names of its placeholders."""

import inspect
from typing import Any

from torch._tensor import Tensor
from torch.fx.node import map_aggregate
from torch.utils import _pytree as pytree

from .. import callables


def flat(fn: Any, args: Any) -> tuple:
    """(a function of the leaves of args, a name for each leaf, the leaves); fn receives its original arguments."""
    names = callables.input_names(fn, len(args))
    leaves, spec = pytree.tree_flatten(list(args))
    of_leaves = [name for name, arg in zip(names, args) for _ in pytree.tree_leaves(arg)]

    def call(*leaves):
        expect(fn, args)
        return fn(*pytree.tree_unflatten([map_aggregate(leaf, lambda v: v) for leaf in leaves], spec))

    return call, of_leaves, leaves


def expect(fn: Any, args: Any) -> None:
    """Checks the parameters before the call, as torch.fx does: for a bound method, including self."""
    code = getattr(inspect.unwrap(fn), "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARARGS:
        return
    expected = code.co_argcount + code.co_kwonlyargcount
    takes_more = code.co_flags & inspect.CO_VARKEYWORDS
    if takes_more and expected == 1:
        return
    if expected != len(args):
        raise RuntimeError(f"Tracing expected {expected} arguments but got {len(args)} concrete arguments")
    if takes_more or code.co_kwonlyargcount:
        # torch.fx wraps it in a function with parameters instead of the *args that make_fx uses.
        first, every = pytree.tree_leaves(args[0]), pytree.tree_leaves(list(args))
        if len(first) != len(every):
            raise AssertionError(f"Expected same length: {len(first)} vs {len(every)}")


def keep_values(args: list, examples: list) -> None:
    """Gives a one-element input the value of its example, which PyTorch's fake tensors keep."""
    for leaf, example in zip(pytree.tree_leaves(args), examples):
        if example is not None and leaf.numel() == 1:
            leaf._value = Tensor._of(example, None)._value
