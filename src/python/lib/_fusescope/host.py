"""Runs the user's files as modules, in order and from a clean state, and dispatches the engine's calls into them."""
import importlib
import inspect
import sys

from . import bridge, callables, environment, event_loop, frames, operators, stubs, wire, workspace_files
from .graph import graph as shown_graph, lowering, node_meta
from .graph.table import Table
from .patterns.match import Match
from .patterns.match_context import MatchContext, result_data
from .pipeline import compiling, default_passes, stages
from .registrations import counts, inputs
from .source import positions, public_names
from .unit_tests import tests

def install():
    stubs.install()
    event_loop.install()
    workspace_files.install()
    _limit_recursion()


# A call through C (an operator method, sorted's key) takes about 4 KB of the engine's 1 MB stack, and exhausting that
# stack terminates Python, so RecursionError must come first. 240 levels were measured to fit.
_DEEPEST = 200


def _limit_recursion():
    set_limit = sys.setrecursionlimit
    set_limit(_DEEPEST)
    sys.setrecursionlimit = lambda limit: set_limit(min(limit, _DEEPEST))


def run(files, settings=None):
    """Runs [[name, text, compiled], …] in order, in an environment. Returns stages, the outcome of each file, the failure of the
    whole run, stubs and environment queries, as data."""
    from torch._inductor.pattern_matcher import PatternMatcherPass

    environment.begin(settings)
    workspace_files.begin(files)
    failure = None
    found = []
    if environment.vendor() == "ascend":
        importlib.import_module("torch_npu")  # vLLM-Ascend and torchair ask sys.modules for it
    try:
        modules = workspace_files.load()
        made, left = default_passes.make(modules, workspace_files.fail)
        for each in PatternMatcherPass.all:
            each.push()
        found = [*stages.stages(modules, made), *(stages.not_instantiated(cls, manager) for cls, manager in left)]
    except BaseException as e:  # SystemExit and KeyboardInterrupt in user code are failures too
        failure = frames.describe_for_author(e)
    errors = workspace_files.errors()
    if failure is None and errors and not found:
        failure = frames.describe_for_author(errors[0])
    outcomes = workspace_files.outcomes(counts.registered(), counts.uncalled(modules if failure is None else []))
    return {"line": found, "files": outcomes, "failure": failure, "stubs": stubs.report(), "asked": environment.asked(), "bodies": operators.bodies()}


def handle(text):
    """Handles one call from the engine: [kind, …] as JSON. Returns {ok} or {error} as JSON."""
    kind, *payload = wire.from_json(text)
    try:
        with stubs.phase(_PHASES.get(kind, "load")):
            return wire.to_json({"ok": _HANDLERS[kind](*payload)})
    except BaseException as e:
        bridge.pending.append(e)
        return wire.to_json({"error": frames.describe(e)})
    finally:
        _flush()


def _flush():
    """User code may have closed or replaced the streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


def _trace(fn, args, examples):
    """Records fn(*args). Returns the result and the answers of stubs that decided it.
    `examples`: at registration, the number of the example tensor of each leaf."""
    function = callables.get(fn)
    stubs.latest()
    given = [wire.decode(a) for a in args]
    if examples is not None:
        inputs.keep_values(given, examples)
    if not inspect.ismethod(function):
        inputs.expect(function, given)
    return [wire.encode(function(*given)), stubs.latest()]


def _trace_by(trace_fn, fn, names, args, leading):
    """Traces with a user-defined trace_fn. Returns the number of its graph."""
    from torch._inductor import pattern_matcher

    search = callables.get(fn)
    return pattern_matcher.trace_by(callables.get(trace_fn), search, names, [wire.decode(a) for a in args], leading)


def _fake(fn, args, kwargs):
    made = callables.get(fn)(*[wire.decode(a) for a in args], **{k: wire.decode(v) for k, v in kwargs})
    return wire.encode(made)


def _call_body(overload, args, kwargs):
    """Runs the body of a user's operator over fake tensors. Raises for a result that a stub decided."""
    stubs.latest()
    with operators.running(overload) as body:
        made = body(*[wire.decode(a) for a in args], **{k: wire.decode(v) for k, v in kwargs})
    for module, asked, (file, line, *_), *_ in stubs.latest():
        raise NotImplementedError(f"{module}.{asked}, which decides at line {line} of {file}, is not available")
    return wire.encode(made)


def _decompose(fn, args, kwargs):
    """A user's decomposition: (whether it applies, its result)."""
    made = callables.get(fn)(*[wire.decode(a) for a in args], **{k: wire.decode(v) for k, v in kwargs})
    return [False, None] if made is NotImplemented else [True, wire.encode(made)]


def _extra_check(fn, match):
    node_meta.reads()
    stubs.latest()
    answer = callables.get(fn)(Match._opened(match))
    plain = answer is None or isinstance(answer, (bool, int, float, str))
    result = wire.encode(answer) if plain else {"text": type(answer).__name__, "true": bool(answer)}
    return [result, node_meta.reads(), stubs.latest()]


def _handle(fn, match):
    view = Match._opened(match)
    callables.get(fn)(view, *view.args, **view.kwargs)


def _match_user(fn, node, number):
    """Calls a user-defined `_match` at a node or an argument."""
    graph = Table().graph
    ctx = MatchContext._numbered(number, graph)
    return result_data(callables.get(fn)(graph._table.decode(node), ctx))


def _tests():
    return {"tests": tests.run(list(workspace_files.modules.items())), "stubs": stubs.report()}


def _call_pass(fn):
    with compiling.contexts():
        callables.get(fn)(Table().graph)
    shown_graph.settle()


_HANDLERS = {"run": run, "tests": _tests, "call_pass": _call_pass, "trace": _trace, "trace_by": _trace_by, "fake": _fake, "decompose": _decompose, "call_torch": lowering.call, "call_body": _call_body, "extra_check": _extra_check, "handle": _handle, "match_user": _match_user,
             "positions": positions.precise, "callable_position": positions.callable_position, "syntax": positions.syntax, "module_names": public_names.modules, "compiled": workspace_files.make_compiled}
# The phase of a run, by kind of call, for decisions that depend on stubs.
_PHASES = {"trace": "trace", "trace_by": "trace", "fake": "trace", "decompose": "trace", "call_torch": "trace", "call_body": "trace", "extra_check": "extra_check", "handle": "handler", "match_user": "match", "call_pass": "pass", "tests": "test"}
