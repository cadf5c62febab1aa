"""torch._inductor.pattern_matcher's public names: registers patterns with the engine, which does the matching.

Reason for length: the names of one module of PyTorch.
"""

import functools
import inspect
import os
from typing import Any, Callable, Union

from _fusescope import engine, callables, frames, partial_modules, wire
from _fusescope.graph import attributes
from _fusescope.graph.sorting import stable_topological_sort  # noqa: F401
from _fusescope.patterns import pattern_data
from _fusescope.torch_version import assertion, is_since, parameters_since
from _fusescope.registrations import bindings, counts, entries, registered
from _fusescope.source import calls
import torch
from torch._ops import OpOverloadPacket
from torch.utils import _pytree as pytree

from torch._dynamo.utils import counters  # noqa: F401
from torch.fx.experimental.symbolic_shapes import guard_or_false, statically_known_true  # noqa: F401
from torch.utils._ordered_set import OrderedSet  # noqa: F401

from .fx_passes import serialized_patterns
from .decomposition import number as table_number, select_decomp_table
from _fusescope.registrations.entries import (  # noqa: F401
    GraphPatternEntry,
    LoweringPatternEntry,
    PatternEntry,
    ReplacementPatternEntry,
    always as _return_true,
)
from _fusescope.patterns.match import Match  # noqa: F401
from _fusescope.patterns.mutation_regions import (  # noqa: F401
    compute_mutation_region_ids,
    get_mutation_region_id,
    is_mutation_op,
    is_start_of_fx_graph,
    same_mutation_regions,
    should_compute_mutation_region_ids,
)
from _fusescope.patterns.match_context import FailedMatch, MatchContext  # noqa: F401
from _fusescope.patterns.expressions import (  # noqa: F401
    Arg,
    CallFunction,
    CallFunctionVarArgs,
    CallMethod,
    CallMethodVarArgs,
    CallModule,
    CallModuleVarArgs,
    ExclusiveKeywordArg,
    GetAttr,
    Ignored,
    KeywordArg,
    ListOf,
    MULTIPLE,
    MultiOutputPattern,
    PatternExpr,
    RepeatedExpr,
    _TargetArgsExpr,
    _TargetExpr,
    _TargetExprVarArgs,
    extract_target,
)
from _fusescope.patterns.tracing import fwd_only, joint_fwd_bwd, tracing
from _fusescope.patterns.pattern_text import PatternPrettyPrinter, fx_to_pattern  # noqa: F401


SearchFn = ReplaceFn = TraceFn = Callable[..., Any]
MatchResult = Union[Match, FailedMatch]
Multiple = type(MULTIPLE)
_seen_patterns = set()  # of PyTorch's own duplicate check; the engine makes its own


class PatternMatcherPass:
    made = 0  # number of the newest
    _stage, _used = None, False  # name, and whether it has entries; for a pass that no module variable holds
    all = []  # of this run

    @parameters_since("2.13", "subsystem")
    def __init__(self, pass_name=None, subsystem=None):
        self.pass_name, self.subsystem = pass_name, subsystem
        self._id = PatternMatcherPass.made = engine.new_pass(pass_name)
        self._table, self._pushed = None, None  # `patterns` in user code; the part known to the engine
        PatternMatcherPass.all.append(self)

    @classmethod
    def _of_library(cls, name, pass_name=None):
        """A pass of a module that is ours or missing: user code registers with it, so it is a stage under this name."""
        made = cls(pass_name)
        made._stage, made._used = name, False
        return made

    def apply(self, gm):
        """Applies the pass to a graph held by Python. Returns the count of matches."""
        self.push()
        graph = getattr(gm, "graph", gm)
        table = graph._table
        count = engine.apply(self._id, table.number, attributes.classes_of_modules(graph))
        table.forget()
        counters["inductor"]["pattern_matcher_count"] += count
        return count

    @property
    def patterns(self):
        if self._table is None:
            self._table = registered.of(self._id)
            self._pushed = entries.numbers(self._table)
        return self._table

    @patterns.setter
    def patterns(self, table):
        self.patterns
        self._table = table

    def push(self):
        """Sends the engine the changes of user code to `patterns`."""
        if self._table is not None and (now := entries.numbers(self._table)) != self._pushed:
            engine.set_patterns(self._id, now)
            self._pushed = now

    def clear(self):
        self.patterns.clear()

    def __getitem__(self, item):
        return self.patterns[item]


entries.pass_class = PatternMatcherPass


def is_match(m):
    return isinstance(m, Match)


@parameters_since("2.13", "skip_duplicates", "pattern_name", "get_decomp_fn")
def register_replacement(
    search_fn,
    replace_fn,
    example_inputs,
    trace_fn,
    pass_dicts,
    extra_check=_return_true,
    scalar_workaround=None,
    exclusive_arg_names=(),
    search_fn_pattern=None,
    skip_duplicates=False,
    pattern_name=None,
    get_decomp_fn=None,
):
    return _register(
        search_fn,
        replace_fn,
        example_inputs,
        trace_fn,
        pass_dicts,
        extra_check,
        scalar_workaround,
        exclusive_arg_names,
        search_fn_pattern,
        skip_duplicates,
        pattern_name,
        get_decomp_fn,
    )


def _register(
    search_fn,
    replace_fn,
    example_inputs,
    trace_fn,
    pass_dicts,
    extra_check,
    scalar_workaround,
    exclusive_arg_names,
    search_fn_pattern,
    skip_duplicates,
    pattern_name,
    get_decomp_fn,
    pretraced=False,
):
    """pretraced: the pattern is the search function's trace or a file of it, and stage two does not trace again."""
    names = list(signature_of(search_fn).parameters)
    if not is_since("2.13"):
        taken = [example_inputs[i] for i in range(_taken(names, scalar_workaround))]
        example_inputs = [*taken, *list(example_inputs)[len(taken) :]]
    elif not isinstance(example_inputs, (list, tuple)):
        raise TypeError(f"example_inputs must be a list or tuple, got {type(example_inputs)}")
    registration = {
        "traceFn": tracing(trace_fn, **_decompositions(get_decomp_fn)),
        "decompositions": table_number(get_decomp_fn) if trace_fn in (fwd_only, joint_fwd_bwd) else None,
        "search": callables.number(search_fn),
        "searchIsBound": inspect.ismethod(search_fn),
        "searchIsWrapped": _is_wrapped(search_fn),
        "replace": callables.number(replace_fn),
        "argNames": names,
        "replaceArgNames": _parameters(replace_fn),
        "exampleInputs": [wire.encode(v) for v in example_inputs],
        "extraCheck": None if extra_check is _return_true else callables.number(extra_check),
        "scalarWorkaround": [[k, wire.encode(v)] for k, v in dict(scalar_workaround or {}).items()] or None,
        "exclusiveArgNames": list(exclusive_arg_names),
        "searchFnPattern": None if search_fn_pattern is None else pattern_data.to_data(search_fn_pattern),
        "pretraced": pretraced,
        "skipDuplicates": bool(skip_duplicates),
        "source": frames.user_place(),
        **bindings.of(search_fn, replace_fn, *([] if extra_check is _return_true else [extra_check])),
    }
    if pattern_name is not None:
        registration["details"].setdefault("pattern_name", repr(pattern_name))
    calls.noted(registration["search"])
    held = entries.holders(pass_dicts)
    first, *others = map(entries.owner_of, held)
    made = engine.register(first, {**registration, "alsoIn": others})
    if made is None:
        return False
    counts.add()
    entry = ReplacementPatternEntry(registered.Pattern(made["text"], made["repr"]))
    for one in held:
        entries.put(one, made, entry)
    return entry.pattern


def _is_wrapped(function):
    """True for what make_fx calls through a lambda with numbered parameters."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code is None or bool(code.co_flags & inspect.CO_VARARGS)


def signature_of(function):
    """inspect.signature, which finds none of a function of C++."""
    if getattr(function, "_of_c", False):
        # A true address would differ from run to run.
        raise ValueError(f"no signature found for builtin <built-in method {function.__name__} of type object at 0x0>")
    return inspect.signature(function)


def _decompositions(get_decomp_fn):
    """What a trace function is called with."""
    return {"get_decomp_fn": get_decomp_fn or select_decomp_table} if is_since("2.13") else {}


def _taken(names, scalar_workaround):
    """How many example inputs PyTorch 2.6 reads, by index."""
    return sum(name not in (scalar_workaround or {}) for name in names)


def _parameters(function):
    """Names of the parameters; None if Python cannot tell."""
    try:
        return list(signature_of(function).parameters)
    except (TypeError, ValueError):
        return None


@parameters_since("2.13", "get_decomp_fn")
def gen_register_replacement(
    unique_name,
    search_fn,
    replace_fn,
    example_inputs,
    trace_fn,
    pass_dicts,
    extra_check=_return_true,
    scalar_workaround=None,
    exclusive_arg_names=(),
    skip_duplicates=False,
    get_decomp_fn=select_decomp_table,
):
    """register_replacement with a pretraced pattern, which is not traced again for a match. The engine traces the
    function here too: the trace gives the pattern its lines, and shows where a file of a pattern is out of date."""
    example_inputs = tuple(example_inputs)
    given = None if "PYTORCH_GEN_PATTERNS" in os.environ else serialized_patterns.find(search_fn.__name__, unique_name)
    if given is None and get_decomp_fn is not select_decomp_table:
        given = gen_pattern(search_fn, example_inputs, trace_fn, scalar_workaround)
    _register(
        search_fn,
        replace_fn,
        example_inputs,
        trace_fn,
        pass_dicts,
        extra_check,
        scalar_workaround,
        exclusive_arg_names,
        given,
        skip_duplicates,
        unique_name,
        get_decomp_fn,
        pretraced=True,
    )


def register_graph_pattern(pattern, extra_check=_return_true, *, pass_dict, prepend=False):
    """Registers a pattern whose match is passed to a handler, which edits the graph."""
    return _decorator(GraphPatternEntry, pattern, extra_check, pass_dict, prepend)


def register_lowering_pattern(
    pattern,
    extra_check=_return_true,
    *,
    pass_dict,
    prepend=False,
    output_metadata_ignores_input_storage=True,
    output_metadata_is_input=None,
    output_metadata_fn=None,
):
    """Registers a pattern whose match becomes one call of the handler, which Inductor lowers; Fusescope does not run it, so
    the parameters output_metadata_… have no effect."""
    return _decorator(LoweringPatternEntry, pattern, extra_check, pass_dict, prepend)


def _decorator(kind, pattern, extra_check, pass_dict, prepend):
    place = frames.user_place()

    def decorator(handler):
        if not callable(handler):
            raise assertion(f"expected callable handler, got {handler}")
        kind(pattern=pattern, extra_check=extra_check, handler=handler).register(
            pass_dict, prepend=prepend, place=place
        )
        if kind is LoweringPatternEntry:
            handler._inductor_lowering_function = True
        return handler

    return decorator


def gen_pattern_and_search_gm(
    search_fn, example_inputs, trace_fn, scalar_workaround=None, exclusive_arg_names=(), get_decomp_fn=None
):
    workaround, rest = scalar_workaround or {}, iter(example_inputs)
    inputs, names = [], []
    for name in inspect.signature(search_fn).parameters:
        value = workaround[name] if name in workaround else next(rest)
        leaves = pytree.tree_leaves(value)
        inputs.append(value)
        names += [name] if len(leaves) == 1 else [f"{name}_{i}" for i in range(len(leaves))]
    gm = trace_fn(search_fn, inputs, **({} if get_decomp_fn is None else {"get_decomp_fn": get_decomp_fn}))
    ignored = (int, float, list, torch.device, torch.dtype)
    return fx_to_pattern(gm, ignored, names, workaround, exclusive_arg_names), gm


def gen_pattern(search_fn, example_inputs, trace_fn, scalar_workaround=None, exclusive_arg_names=()):
    return gen_pattern_and_search_gm(search_fn, example_inputs, trace_fn, scalar_workaround, exclusive_arg_names)[0]


def init_once_fakemode(fn):
    known = inspect.signature(fn).parameters

    @functools.cache
    @functools.wraps(fn)
    def lazy_init(input_device=None, get_decomp_fn=select_decomp_table):
        given = {"input_device": input_device, "get_decomp_fn": get_decomp_fn}
        return fn(**{k: v for k, v in given.items() if k in known})

    return lazy_init


def config_flag(name):
    """An extra_check that tests a setting of torch._inductor.config."""
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


__getattr__ = partial_modules.of_pytorch(__name__)
