"""Runs the user's files as modules, in order and from a clean state, and dispatches the engine's calls into them."""

import functools
import importlib
import inspect
import sys
from typing import Any

from . import (
    bridge,
    callables,
    engine,
    environment,
    event_loop,
    operators,
    stubs,
    suggestions,
    torch_version,
    wire,
    workspace_files,
)
from .graph import graph as shown_graph, lowering, node_meta
from .patterns.match import Match, result_data
from .patterns import tracing
from .patterns.match_context import MatchContext
from .pipeline import calling, compiling, default_passes, functions_of, stages
from .registrations import counts, inputs
from .source import conditions, edited, followed, patched, positions, public_names, returned
from .unit_tests import tests


def install() -> None:
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


def run(files: list, settings: dict | None) -> dict:
    """Runs [[name, text, compiled], …] in order, in an environment. Returns stages, the outcome of each file, the failure of the
    whole run, stubs and environment queries, as data."""
    from torch._inductor.pattern_matcher import PatternMatcherPass

    environment.begin(settings)
    torch_version.begin()
    workspace_files.begin(files)
    followed.begin()
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
        failure = suggestions.described(e)
    errors = workspace_files.errors()
    if failure is None and errors and not found:
        failure = suggestions.described(errors[0])
    patched.loaded()
    followed.loaded()
    outcomes = workspace_files.outcomes(counts.registered(), counts.uncalled(modules if failure is None else []))
    return {
        "line": found,
        "files": outcomes,
        "failure": failure,
        "stubs": stubs.report(),
        "asked": environment.asked(),
        "bodies": operators.bodies(),
        "defines": [] if found or failure else functions_of.defined(modules),
    }


def handle(text: str) -> str:
    """Handles one call from the engine: [kind, …] as JSON. Returns {ok} or {error} as JSON."""
    kind, *payload = wire.from_json(text)
    try:
        with stubs.phase(engine.PHASES[kind]):
            return wire.to_json({"ok": _HANDLERS[kind](*payload)})
    except BaseException as e:
        bridge.pending.append(e)
        return wire.to_json({"error": suggestions.told(e)})
    finally:
        _flush()


def _flush():
    """User code may have closed or replaced the streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


def _precise(on: bool) -> None:
    """A run whose patterns are changed: by the expressions that made them, in functions whose code is replaced."""
    positions.precise(on)
    patched.watch(on)


def _trace(fn: int, args: list, examples: list | None) -> list:
    """Records fn(*args). Returns the result and the answers of stubs that decided it.
    `examples`: at registration, the number of the example tensor of each leaf."""
    function = callables.get(fn)
    stubs.latest()
    given = [wire.decode(a) for a in args]
    if examples is not None:
        inputs.keep_values(given, examples)
    if not inspect.ismethod(function):
        inputs.expect(function, given)
    return [_result(function(*given)), stubs.latest()]


def _result(made):
    """The value of a traced function; a tuple with fields has the name of its class, where this is no class of torch."""
    kind = type(made)
    encoded = wire.encode(made)
    if isinstance(made, tuple) and hasattr(kind, "_fields") and kind.__module__.split(".")[0] != "torch":
        encoded["n"] = f"{kind.__module__}.{kind.__name__}"
    return encoded


def _trace_by(trace_fn: int, fn: int, names: list[str], args: list, leading: int) -> int:
    """Traces with a user-defined trace_fn. Returns the number of its graph."""
    search = callables.get(fn)
    return tracing.trace_by(callables.get(trace_fn), search, names, [wire.decode(a) for a in args], leading)


def _fake(fn: int, args: list, kwargs: list) -> Any:
    made = callables.get(fn)(*[wire.decode(a) for a in args], **{k: wire.decode(v) for k, v in kwargs})
    return wire.encode(made)


def _call_body(overload: str, args: list, kwargs: list) -> Any:
    """Runs the body of a user's operator over fake tensors. Raises for a result that a stub decided."""
    stubs.latest()
    with operators.running(overload) as body:
        made = body(*[wire.decode(a) for a in args], **{k: wire.decode(v) for k, v in kwargs})
    for module, asked, (file, line, *_), *_ in stubs.latest():
        raise NotImplementedError(f"{module}.{asked}, which decides at line {line} of {file}, is not available")
    return wire.encode(made)


def _decompose(fn: int, args: list, kwargs: list) -> list:
    """A user's decomposition: (whether it applies, its result)."""
    made = callables.get(fn)(*[wire.decode(a) for a in args], **{k: wire.decode(v) for k, v in kwargs})
    return [False, None] if made is NotImplemented else [True, wire.encode(made)]


def _extra_check(fn: int, match: dict) -> list:
    from torch import SymBool
    from torch.fx.experimental.symbolic_shapes import guard_or_false

    node_meta.reads()
    stubs.latest()
    answer, returns = returned.watched(callables.get(fn), Match._opened(match))
    answer = guard_or_false(answer) if isinstance(answer, SymBool) else answer
    plain = answer is None or isinstance(answer, (bool, int, float, str))
    result = wire.encode(answer) if plain else {"text": type(answer).__name__, "true": bool(answer)}
    facts = _check_facts()
    at = returned.described(returns) if answer is False else None
    # Reading the values again is no reading of the check's.
    _check_facts()
    return [result, *facts, at]


def _check_facts() -> list:
    """The meta that the last extra_check read from nodes, and the stub answers that it used."""
    return [node_meta.reads(), stubs.latest()]


def _handle(fn: int, match: dict) -> None:
    view = Match._opened(match)
    callables.get(fn)(view, *view.args, **view.kwargs)


def _match_user(fn: int, node: Any, context: int) -> Any:
    """Calls a user-defined `_match` at a node or an argument."""
    graph = shown_graph.Graph._of()
    ctx = MatchContext._numbered(context, graph)
    return result_data(callables.get(fn)(graph._table.decode(node), ctx))


def _anchors_user(fn: int, context: int, searched: list) -> list[str]:
    """Calls a user-defined `find_anchor_nodes`."""
    from torch.utils._ordered_set import OrderedSet

    graph = shown_graph.Graph._of()
    found = callables.get(fn)(
        MatchContext._numbered(context, graph), OrderedSet(graph._table.decode(n) for n in searched)
    )
    return [node._key for node in found]


def _tests() -> dict:
    return {"tests": tests.run(list(workspace_files.modules.items())), "stubs": stubs.report()}


def _call_pass(fn: int, asks: bool) -> list:
    """Calls a stage with the graph. Returns the number of places that replace_pattern replaced, or None, the missing
    functions that received a graph, and with `asks` the conditions that the code asked."""
    calling.begin()
    bridge.recording = True
    try:
        with compiling.contexts():
            call = functools.partial(callables.get(fn), shown_graph.Graph._of())
            left, asked = conditions.during(call) if asks else (call(), [])
        shown_graph.settle(left if isinstance(left, shown_graph.Graph) else None)
    finally:
        bridge.recording = False
    return [*calling.end(), asked]


_HANDLERS = {
    "run": run,
    "tests": _tests,
    "call_pass": _call_pass,
    "trace": followed.traced(patched.traced(_trace)),
    "trace_by": _trace_by,
    "fake": _fake,
    "decompose": _decompose,
    "call_torch": lowering.call,
    "call_body": _call_body,
    "extra_check": _extra_check,
    "check_facts": _check_facts,
    "handle": _handle,
    "match_user": _match_user,
    "anchors_user": _anchors_user,
    "positions": _precise,
    "patch": patched.patch,
    "unpatch": patched.unpatch,
    "edit": edited.edit,
    "undo_edit": edited.undo,
    "register_again": patched.register_again,
    "callable_position": positions.callable_position,
    "syntax": positions.syntax,
    "module_names": public_names.modules,
    "compiled": workspace_files.make_compiled,
}
