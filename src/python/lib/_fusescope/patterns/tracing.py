"""PyTorch's functions that trace a pattern's functions to graphs, and user-defined ones."""

import functools
from collections.abc import Callable
from typing import Any

from torch._inductor import decomposition
from torch.fx import GraphModule

from .. import callables, engine, wire
from ..registrations import inputs


def fwd_only(
    fn: Callable, args: list | tuple, *, run_functional_passes: bool = True, get_decomp_fn: Callable | None = None
) -> Any:
    """The graph of fn over fake tensors like args, as a GraphModule."""
    return _traced(
        fn,
        args,
        {"functionalPasses": bool(run_functional_passes), "decompositions": decomposition.number(get_decomp_fn)},
    )


def joint_fwd_bwd(fn: Callable, args: list | tuple, *, get_decomp_fn: Callable | None = None) -> Any:
    """The graph of fn and of its backward pass: inputs primals_1, …, tangents_1, …; outputs, then the inputs' gradients."""
    return _traced(fn, args, {"joint": True, "decompositions": decomposition.number(get_decomp_fn)})


def _traced(fn, args, options):
    names = _names_in_trace(fn)
    if names is None:
        fn, names, args = inputs.flat(fn, args)
    encoded = [wire.encode(a) for a in args]
    return GraphModule._traced(engine.fwd_only(callables.number(fn), names, encoded, options))


_names = []  # (function, names of its arguments) of the current traces


def _names_in_trace(fn):
    return next((names for known, names in reversed(_names) if known is fn), None)


def tracing(trace_fn: Callable, **kwargs: Any) -> int | str | None:
    """None for fwd_only, "joint_fwd_bwd", else the number of the trace_fn with these keywords."""
    if trace_fn is fwd_only:
        return None
    if trace_fn is joint_fwd_bwd:
        return "joint_fwd_bwd"
    return callables.number(functools.partial(trace_fn, **kwargs) if kwargs else trace_fn)


def trace_by(trace_fn: Callable, search: Callable, names: list[str], args: list, leading: int) -> int:
    """trace_fn(search, args); the first `leading` arguments are symbolic sizes that the function does not take."""
    traced = search
    if leading:

        def traced(*args):
            return search(*args[leading:])

    _names.append((traced, names))
    try:
        made = trace_fn(traced, args)
    finally:
        _names.pop()
    number = getattr(getattr(made, "graph", None), "_table", None)
    if number is None or number.number is None:
        inner = getattr(trace_fn, "func", trace_fn)
        name = getattr(inner, "__qualname__", repr(inner))
        raise NotImplementedError(
            f"the trace_fn {name} returned a {type(made).__name__}: Fusescope takes the GraphModule that fwd_only returned"
        )
    return number.number


fwd_only.__module__ = joint_fwd_bwd.__module__ = "torch._inductor.pattern_matcher"
