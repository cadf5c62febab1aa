"""Runs the user's files as modules, in order and from a clean state, and dispatches the engine's calls into them."""
import importlib.abc
import importlib.machinery
import inspect
import json
import sys

from . import bridge, callables, environment, frames, operators, restore, stubs, wire
from .graph import graph as fx_graph, lowering, node_meta
from .graph.table import Table
from .patterns.match import Match
from .patterns.match_context import MatchContext, result_data
from .pipeline import compiling, default_passes, stages
from .registrations import entries, inputs
from .source import module_names, positions
from .unit_tests import tests

_files = {}
_modules = {}  # module name → file


class _UserFiles(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """`import matchers` finds matchers.py of the workspace; `pkg.mod` finds pkg/mod.py."""

    def find_spec(self, name, path=None, target=None):
        file = _modules.get(name)
        package = file is not None and file.endswith("/__init__.py")
        if file is not None and not package:
            return importlib.machinery.ModuleSpec(name, self, origin=file)
        if package or any(m.startswith(f"{name}.") for m in _modules):
            # Our package of the same name supplies modules missing from the user's package: vllm.platforms beside their
            # vllm/….
            ours = stubs.library_spec(name, path)
            if ours is not None and not package:
                return ours
            origin = file or name.replace(".", "/") + "/__init__.py"
            spec = importlib.machinery.ModuleSpec(name, self, origin=origin, is_package=True)
            spec.submodule_search_locations = list(getattr(ours, "submodule_search_locations", None) or [])
            return spec
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.origin
        module.__file__ = frames.WORKSPACE + file
        text, filename = _files.get(file, ""), frames.WORKSPACE + file
        code = tests.compiled(text, filename) if tests.is_test_file(file) else compile(text, filename, "exec", dont_inherit=True)
        exec(code, module.__dict__)


def install():
    stubs.install()
    sys.meta_path.insert(0, _UserFiles())
    _limit_recursion()


# A call through C (an operator method, sorted's key) takes about 4 KB of the engine's 1 MB stack, and exhausting that
# stack terminates Python, so RecursionError must come first. 240 levels were measured to fit.
_DEEPEST = 200


def _limit_recursion():
    set_limit = sys.setrecursionlimit
    set_limit(_DEEPEST)
    sys.setrecursionlimit = lambda limit: set_limit(min(limit, _DEEPEST))


def run(files, settings=None):
    """Runs [[name, text], …] in order, in an environment. Returns passes, failure, stubs and environment queries, as
    data."""
    from torch._factories import default_devices, default_dtype
    from torch import _tensor, float32
    from torch._dynamo.utils import counters
    from torch._inductor import config
    from torch._inductor.pattern_matcher import PatternMatcherPass

    restore.restore()
    _files.clear()
    stubs.forget()
    default_passes.forget()
    operators.forget()
    environment.begin(settings)
    callables.forget()
    node_meta.forget()
    bridge.pending.clear()
    _tensor.forget()
    default_devices.clear()
    default_dtype[0] = float32
    config.forget()
    counters.clear()
    PatternMatcherPass.all.clear()
    entries.forget()
    fx_graph.forget()
    for name, text in files:
        _files[name] = text
        frames.remember_source(name, text)
    _modules.clear()
    _modules.update(module_names.of_files(files))
    failure = None
    found = []
    try:
        modules = [importlib.import_module(name) for name, file in _modules.items() if not tests.is_test_file(file)]
        made, left = default_passes.make(modules)
        for each in PatternMatcherPass.all:
            each.push()
        found = [*stages.stages(modules, made), *(stages.not_instantiated(cls, manager) for cls, manager in left)]
    except BaseException as e:  # SystemExit and KeyboardInterrupt in user code are failures too
        failure = frames.describe(e)
    return {"line": found, "failure": failure, "stubs": stubs.report(), "asked": environment.asked()}


def handle(text):
    """Handles one call from the engine: [kind, …] as JSON. Returns {ok} or {error} as JSON."""
    kind, *payload = json.loads(text)
    try:
        with stubs.phase(_PHASES.get(kind, "load")):
            return json.dumps({"ok": _HANDLERS[kind](*payload)})
    except BaseException as e:
        bridge.pending.append(e)
        return json.dumps({"error": frames.describe(e)})
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _trace(fn, args, examples):
    """Records fn(*args). `examples`: at registration, the number of the example tensor of each leaf."""
    function = callables.get(fn)
    given = [wire.decode(a) for a in args]
    if examples is not None:
        inputs.keep_values(given, examples)
    if not inspect.ismethod(function):
        inputs.expect(function, given)
    return wire.encode(function(*given))


def _trace_by(trace_fn, fn, names, args, leading):
    """Traces with a user-defined trace_fn. Returns the number of its graph."""
    from torch._inductor import pattern_matcher

    search = callables.get(fn)
    return pattern_matcher.trace_by(callables.get(trace_fn), search, names, [wire.decode(a) for a in args], leading)


def _fake(fn, args, kwargs):
    made = callables.get(fn)(*[wire.decode(a) for a in args], **{k: wire.decode(v) for k, v in kwargs})
    return wire.encode(made)


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
    return {"tests": tests.run(list(_modules.items())), "stubs": stubs.report()}


def _call_pass(fn):
    with compiling.contexts():
        callables.get(fn)(Table().graph)


_HANDLERS = {"run": run, "tests": _tests, "call_pass": _call_pass, "trace": _trace, "trace_by": _trace_by, "fake": _fake, "call_torch": lowering.call, "extra_check": _extra_check, "handle": _handle, "match_user": _match_user,
             "positions": positions.precise, "callable_position": positions.callable_position, "syntax": positions.syntax}
# The phase of a run, by kind of call, for decisions that depend on stubs.
_PHASES = {"trace": "trace", "trace_by": "trace", "fake": "trace", "call_torch": "trace", "extra_check": "extra_check", "handle": "handler", "match_user": "match", "call_pass": "pass", "tests": "test"}
