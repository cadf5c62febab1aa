"""torch._inductor.pattern_matcher's public names. Matching itself is done by the engine; here patterns are handed over."""
import inspect

from _fusescope import bindings, bridge, callables, frames, pattern_data, wire
from _fusescope.pattern_data import (  # noqa: F401
    Arg, CallFunction, CallFunctionVarArgs, CallMethod, CallMethodVarArgs, CallModule, CallModuleVarArgs,
    ExclusiveKeywordArg, Ignored, KeywordArg, ListOf, MULTIPLE, MultiOutputPattern, PatternExpr, RepeatedExpr,
)


class Match:
    """A match, as extra_check sees it."""

    def __init__(self, nodes, args, kwargs, outputs):
        self.nodes, self.args, self.kwargs, self._outputs = nodes, args, kwargs, outputs

    def output_nodes(self):
        return self._outputs

    def output_node(self):
        return next((n for n in self._outputs if n is not None), None)

    @property
    def graph(self):
        return self.nodes[0].graph

    def __bool__(self):
        return True


class PatternMatcherPass:
    def __init__(self, pass_name=None, subsystem=None):
        self.pass_name = pass_name
        self._id = bridge.call("pass", pass_name)
        self.patterns = {}

    def apply(self, gm):
        raise NotImplementedError("Fusescope applies the pass to the graph that is shown; call nothing")

    def __getitem__(self, item):
        return self.patterns.setdefault(item, [])


def fwd_only(fn, args, *, run_functional_passes=True, get_decomp_fn=None):
    """Names the way a pattern is traced; register_replacement does the tracing."""
    raise NotImplementedError("fwd_only is passed to register_replacement, not called")


def joint_fwd_bwd(fn, args):
    raise NotImplementedError("joint_fwd_bwd patterns (training) are not supported; use fwd_only")


def register_replacement(search_fn, replace_fn, example_inputs, trace_fn, pass_dicts, extra_check=None,
                         scalar_workaround=(), exclusive_arg_names=(), search_fn_pattern=None, skip_duplicates=False):
    if trace_fn is joint_fwd_bwd:
        joint_fwd_bwd(None, None)
    names = list(inspect.signature(search_fn).parameters)
    registration = {
        "search": callables.number(search_fn),
        "replace": callables.number(replace_fn),
        "argNames": names,
        "exampleInputs": [wire.encode(v) for v in example_inputs],
        "extraCheck": None if extra_check is None else callables.number(extra_check),
        "scalarWorkaround": [[k, wire.encode(v)] for k, v in dict(scalar_workaround or {}).items()] or None,
        "exclusiveArgNames": list(exclusive_arg_names),
        "searchFnPattern": None if search_fn_pattern is None else pattern_data.to_data(search_fn_pattern),
        "skipDuplicates": bool(skip_duplicates),
        "title": bindings.title(search_fn),
        "source": frames.user_place(),
        "bindings": bindings.of(search_fn, replace_fn),
    }
    for target in pass_dicts if isinstance(pass_dicts, (list, tuple)) else [pass_dicts]:
        bridge.call("register", target._id, registration)
    return True


def gen_register_replacement(unique_name, search_fn, replace_fn, example_inputs, trace_fn, pass_dicts, extra_check=None,
                             scalar_workaround=(), exclusive_arg_names=(), skip_duplicates=False):
    return register_replacement(search_fn, replace_fn, example_inputs, trace_fn, pass_dicts, extra_check,
                                scalar_workaround, exclusive_arg_names, None, skip_duplicates)


def _always(match):
    return True


def register_graph_pattern(pattern, extra_check=_always, *, pass_dict, prepend=False):
    raise NotImplementedError("register_graph_pattern with a Python handler is not supported by this Fusescope yet; use register_replacement")


def register_lowering_pattern(pattern, extra_check=_always, *, pass_dict, prepend=False):
    raise NotImplementedError("register_lowering_pattern is not supported by Fusescope: lowerings need the rest of TorchInductor")


def stable_topological_sort(graph):
    return graph


def init_once_fakemode(fn):
    done = []

    def once():
        if not done:
            done.append(fn())
        return done[0]

    return once


def filter_nodes(nodes, fn):
    name = getattr(fn, "_fusescope_op", None)
    return [n for n in nodes if n.op == "call_function" and str(n.target).startswith(str(name))]
