"""torch._inductor.pattern_matcher's public names. Matching itself is done by the engine; here patterns are handed over."""
import functools
import inspect

from _fusescope import bindings, bridge, callables, frames, inputs, pattern_data, registered, wire
import torch
from torch._ops import OpOverloadPacket
from torch.fx import GraphModule
from torch.fx.node import map_arg
from torch.utils import _pytree as pytree

from .decomposition import check, select_decomp_table
from _fusescope.match import Match  # noqa: F401
from _fusescope.pattern_data import (  # noqa: F401
    Arg, CallFunction, CallFunctionVarArgs, CallMethod, CallMethodVarArgs, CallModule, CallModuleVarArgs,
    ExclusiveKeywordArg, GetAttr, Ignored, KeywordArg, ListOf, MULTIPLE, MultiOutputPattern, PatternExpr, RepeatedExpr,
    _TargetArgsExpr, _TargetExpr, _TargetExprVarArgs,
)
from _fusescope.pattern_text import PatternPrettyPrinter, fx_to_pattern  # noqa: F401


class PatternMatcherPass:
    made = 0  # number of the newest

    def __init__(self, pass_name=None, subsystem=None):
        self.pass_name = pass_name
        self._id = PatternMatcherPass.made = bridge.call("pass", pass_name)

    def apply(self, gm):
        """Applies the pass to a graph that Python holds. Returns the count of matches."""
        table = getattr(gm, "graph", gm)._table
        count = bridge.call("apply", self._id, table.number)
        table.forget()
        return count

    @property
    def patterns(self):
        """A view: what is put into it goes nowhere."""
        return registered.of(self._id)

    def __getitem__(self, item):
        return self.patterns.get(item, [])


class FailedMatch(RuntimeError):
    """Why a pattern did not match; here for annotations and isinstance."""

    def __bool__(self):
        return False


def is_match(m):
    return isinstance(m, Match)


def fwd_only(fn, args, *, run_functional_passes=True, get_decomp_fn=None):
    """The graph of fn over fake tensors like args, as a GraphModule."""
    check(get_decomp_fn)
    names = _names_in_trace(fn)
    if names is None:
        fn, names, args = inputs.flat(fn, args)
    encoded = [wire.encode(a) for a in args]
    number = bridge.call("fwd_only", callables.number(fn), names, encoded, bool(run_functional_passes))
    return GraphModule._traced(number)


def joint_fwd_bwd(fn, args, *, get_decomp_fn=None):
    raise NotImplementedError("Fusescope traces inference patterns only: use fwd_only in place of joint_fwd_bwd")


_names = []  # (function, names of its arguments) of the traces under way


def _names_in_trace(fn):
    return next((names for known, names in reversed(_names) if known is fn), None)


def tracing(trace_fn, **kwargs):
    """None where fwd_only traces, else the number of the trace_fn, called with these keywords."""
    inner = trace_fn.func if isinstance(trace_fn, functools.partial) else trace_fn
    if inner is joint_fwd_bwd:
        joint_fwd_bwd(None, None)
    if trace_fn is fwd_only:
        return None
    return callables.number(functools.partial(trace_fn, **kwargs) if kwargs else trace_fn)


def trace_by(trace_fn, search, names, args, leading):
    """trace_fn(search, args), where the first `leading` arguments are symbolic sizes that the function does not take."""
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


def _always(match):
    return True


def _passes(given):
    passes = list(given) if isinstance(given, (list, tuple)) else [given]
    for one in passes:
        if not isinstance(one, PatternMatcherPass):
            raise NotImplementedError(f"Fusescope registers patterns in a PatternMatcherPass, not in a {type(one).__name__}")
    return passes


def register_replacement(search_fn, replace_fn, example_inputs, trace_fn, pass_dicts, extra_check=_always,
                         scalar_workaround=None, exclusive_arg_names=(), search_fn_pattern=None, skip_duplicates=False,
                         pattern_name=None, get_decomp_fn=None):
    check(get_decomp_fn)
    names = list(inspect.signature(search_fn).parameters)
    if not isinstance(example_inputs, (list, tuple)):
        raise TypeError(f"example_inputs must be a list or tuple, got {type(example_inputs)}")
    registration = {
        "traceFn": tracing(trace_fn, get_decomp_fn=select_decomp_table),
        "search": callables.number(search_fn),
        "searchIsBound": inspect.ismethod(search_fn),
        "replace": callables.number(replace_fn),
        "argNames": names,
        "exampleInputs": [wire.encode(v) for v in example_inputs],
        "extraCheck": None if extra_check is _always else callables.number(extra_check),
        "scalarWorkaround": [[k, wire.encode(v)] for k, v in dict(scalar_workaround or {}).items()] or None,
        "exclusiveArgNames": list(exclusive_arg_names),
        "searchFnPattern": None if search_fn_pattern is None else pattern_data.to_data(search_fn_pattern),
        "skipDuplicates": bool(skip_duplicates),
        "source": frames.user_place(),
        **bindings.of(search_fn, replace_fn, *([] if extra_check is _always else [extra_check])),
    }
    for target in _passes(pass_dicts):
        bridge.call("register", target._id, registration)
    return True


def gen_register_replacement(unique_name, search_fn, replace_fn, example_inputs, trace_fn, pass_dicts, extra_check=_always,
                             scalar_workaround=(), exclusive_arg_names=(), skip_duplicates=False):
    return register_replacement(search_fn, replace_fn, example_inputs, trace_fn, pass_dicts, extra_check,
                                scalar_workaround, exclusive_arg_names, None, skip_duplicates)


def register_graph_pattern(pattern, extra_check=_always, *, pass_dict, prepend=False):
    """A pattern whose match is given to a handler, which edits the graph itself."""
    place = frames.user_place()

    def decorator(handler):
        if not callable(handler):
            raise AssertionError(f"expected callable handler, got {handler}")
        if not hasattr(pattern, "fns"):
            raise AssertionError("pattern has no fns attribute")
        registration = {
            "pattern": pattern_data.to_data(pattern),
            "extraCheck": None if extra_check is _always else callables.number(_of_pattern(extra_check, pattern)),
            "handler": callables.number(_of_pattern(handler, pattern)),
            "prepend": bool(prepend),
            "source": place,
            **bindings.of(handler, *([] if extra_check is _always else [extra_check])),
        }
        for target in _passes(pass_dict):
            bridge.call("register_graph", target._id, registration)
        return handler

    return decorator


def _of_pattern(fn, pattern):
    """fn(match, …), whose match knows the pattern that was matched."""

    @functools.wraps(fn, updated=())
    def call(match, *args, **kwargs):
        match.pattern = _begun_with(pattern)
        return fn(match, *args, **kwargs)

    return call


def _begun_with(pattern):
    """What a match of the pattern was made by: to the first output's, or the first sibling's, the others are added."""
    while isinstance(pattern, (MultiOutputPattern, RepeatedExpr)):
        pattern = pattern.outputs[0] if isinstance(pattern, MultiOutputPattern) else pattern.inner_pattern
    return pattern


def register_lowering_pattern(pattern, extra_check=_always, *, pass_dict, prepend=False):
    """A pattern whose match becomes one call of the handler, which Inductor would lower; it is not run here."""

    def decorator(handler):
        if not callable(handler):
            raise AssertionError(f"expected callable handler, got {handler}")

        def put_call(match, *args, **kwargs):
            node = match.output_node()
            with match.graph.inserting_before(node):
                call = match.graph.call_function(f"python:{handler.__module__}.{handler.__name__}", tuple(match.args), match.kwargs)
            for key in ("val", "custom"):
                if key in node.meta:
                    call.meta[key] = node.meta[key]
            node.replace_all_uses_with(call)
            if match.nodes[-1] is not node:
                raise AssertionError("expected match.nodes[-1] to be node")
            match.erase_nodes()

        put_call.__name__ = handler.__name__
        register_graph_pattern(pattern, extra_check, pass_dict=pass_dict, prepend=prepend)(put_call)
        handler._inductor_lowering_function = True
        return handler

    return decorator


def gen_pattern_and_search_gm(search_fn, example_inputs, trace_fn, scalar_workaround=None, exclusive_arg_names=(), get_decomp_fn=None):
    check(get_decomp_fn)
    workaround, rest = scalar_workaround or {}, iter(example_inputs)
    inputs, names = [], []
    for name in inspect.signature(search_fn).parameters:
        value = workaround[name] if name in workaround else next(rest)
        leaves = pytree.tree_leaves(value)
        inputs.append(value)
        names += [name] if len(leaves) == 1 else [f"{name}_{i}" for i in range(len(leaves))]
    gm = trace_fn(search_fn, inputs)
    ignored = (int, float, list, torch.device, torch.dtype)
    return fx_to_pattern(gm, ignored, names, workaround, exclusive_arg_names), gm


def gen_pattern(search_fn, example_inputs, trace_fn, scalar_workaround=None, exclusive_arg_names=()):
    return gen_pattern_and_search_gm(search_fn, example_inputs, trace_fn, scalar_workaround, exclusive_arg_names)[0]


def stable_topological_sort(graph):
    """Moves nodes after their inputs, and otherwise leaves the order as it is."""
    nodes = list(graph.nodes)
    pending, ready, waiting, cursor = nodes[::-1], set(), {}, None
    while pending:
        node = pending.pop()
        missing = [x for x in _inputs(node) if x not in ready]
        if missing:
            waiting.setdefault(missing[-1], []).append(node)
            continue
        ready.add(node)
        if cursor is not None and cursor.next != node:
            cursor.append(node)
        cursor = node
        pending.extend(reversed(waiting.pop(node, ())))
    if waiting or len(ready) != len(nodes):
        raise AssertionError("topological sort did not consume all nodes")


def _inputs(node):
    found = []
    map_arg((node.args, node.kwargs), found.append)
    return found


def init_once_fakemode(fn):
    known = inspect.signature(fn).parameters

    @functools.cache
    @functools.wraps(fn)
    def lazy_init(input_device=None, get_decomp_fn=select_decomp_table):
        given = {"input_device": input_device, "get_decomp_fn": get_decomp_fn}
        return fn(**{k: v for k, v in given.items() if k in known})

    return lazy_init


def config_flag(name):
    """An extra_check that asks torch._inductor.config."""
    from torch._inductor import config

    return lambda match: getattr(config, name)


def get_arg_value(node, arg_number, kwarg_name=None):
    if len(node.args) > arg_number:
        return node.args[arg_number]
    return None if kwarg_name is None else node.kwargs.get(kwarg_name)


def filter_nodes(nodes, fn):
    """Nodes that call the function, or any overload of a packet."""
    fns = [fn]
    if isinstance(fn, OpOverloadPacket):
        fns.extend(fn.op_overloads())
    return [n for n in nodes if n.target in fns]


def extract_target(node):
    if node.op == "call_module":
        raise NotImplementedError("a printed graph does not say the class of a module")
    return node.target
