"""Records what a real PyTorch's pattern matcher does on a case, as one line of cases/*.jsonl.

    chroot DIR python3 conformance/record.py < SPECS.jsonl > CASES.jsonl        (DIR: a PyTorch 2.14.1, or an older one)

A spec holds `id`, `family`, `model_py` (defines `model` and `example_args()`), `pattern_py` (ends with passes), and
optionally `v2` (auto_functionalized v2), `where` (pre_grad_custom_pass: the graph as Dynamo made it; fwd_only
or joint_fwd_bwd: as a pattern is traced), `custom_meta` (node.meta["custom"] by node name), `dynamic` (true, or a list of [argument,
dimension] to mark), `shape_env` (the pattern registers under a mode that has one, which while_loop needs), `passes`. A generator may
also give `edit`, a function that changes the captured graph.
"""
import contextlib
import json
import logging
import operator
import re
import signal
import sys
import types

import torch
import torch._dynamo
from torch._guards import detect_fake_mode
from torch._inductor import pattern_matcher as matcher
from torch._inductor.virtualized import V
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

logging.disable(logging.CRITICAL)
ERROR_LENGTH = 500
NEWEST = "2.14"  # a case of another version names it

_attempts = None
_declared = []  # operators live as long as their Library objects
# Higher-order operators of PyTorch 2.6 run Dynamo, which imports the function's module and asserts that it stays the same one.
_user_pattern = sys.modules["user_pattern"] = types.ModuleType("user_pattern")


def _listen(kind):
    """Notes every whole-pattern attempt (match() of the outermost expression)."""
    inner = kind.match

    def match(self, node):
        global _attempts
        if _attempts is None:
            return inner(self, node)
        seen, _attempts = _attempts, None  # an expression of the user may call match() itself
        try:
            result = inner(self, node)
        finally:
            _attempts = seen
        ok = bool(result)
        seen.append((self, node.name, ok, None if ok else _reason(result), [n.name for n in result.nodes] if ok else None))
        return result

    kind.match = match


def _reason(failed):
    try:
        return str(failed)
    except KeyError:  # PyTorch 2.6 leaves out a part of the text of constant_args
        return failed.format_string.split("{")[0]


_listen(matcher.PatternExpr)
_listen(matcher.MultiOutputPattern)


def _ignore(owner, name):
    """What is matched inside a method is no attempt of the pass."""
    setattr(owner, name, _unheard(getattr(owner, name)))


def _unheard(inner):

    def quiet(*args, **kwargs):
        global _attempts
        kept, _attempts = _attempts, None
        try:
            return inner(*args, **kwargs)
        finally:
            _attempts = kept

    return quiet


_ignore(matcher.GraphPatternEntry, "apply")  # a handler may match, and apply other passes


def _ignore_early_patterns():
    """The passes that joint_fwd_bwd applies to its own trace are no attempts on the graph."""
    try:
        from torch._inductor.fx_passes.joint_graph import early_patterns
    except ImportError:  # PyTorch 2.6
        return

    _ignore(early_patterns, "apply")


_ignore_early_patterns()


def _pattern_text(pattern):
    try:
        return matcher.PatternPrettyPrinter.run(pattern)
    except Exception:
        return None


def _error(e):
    return f"{type(e).__name__}: {e}"[:ERROR_LENGTH]


def _entries_of(p):
    """(entry, its keys), in registration order."""
    rows = []
    for (op, target), entries in p.patterns.items():
        key = f"{op}:{torch.fx.node._get_qualified_name(target) if callable(target) else target}"
        for entry in entries:
            for other, keys in rows:
                if other is entry:
                    keys.extend([] if key in keys else [key])
                    break
            else:
                rows.append((entry, [key]))
    return rows


def _apply(name, p, gm):
    global _attempts
    rows = _entries_of(p)
    done = {"pass": name, "entries": [{"pattern": _pattern_text(e.pattern), "keys": keys} for e, keys in rows]}
    for entry, _ in rows:
        if type(entry) is matcher.GraphPatternEntry:  # its check is the user's; a replacement's is the matcher's
            object.__setattr__(entry, "extra_check", _unheard(entry.extra_check))
    _attempts = []
    # Inductor's passes run under the fake mode of the graph: without it, a handler cannot trace `arange(s0)`.
    mode = detect_fake_mode([n.meta.get("val") for n in gm.graph.nodes])
    try:
        with V.set_fake_mode(mode) if mode else contextlib.nullcontext():
            done["count"] = p.apply(gm.graph)
    except Exception as e:
        done["apply_error"] = _error(e)
    seen, _attempts = _attempts, None
    number = {}
    for i, (e, _) in enumerate(rows):
        number.setdefault(id(e.pattern), []).append(i)
    current = None
    tried = {}
    done["attempts"] = []
    for pattern, node, ok, reason, nodes in seen:
        initial = id(pattern) in number
        if initial:  # entries may share an expression: they are tried at a node in their order
            at = tried[pattern, node] = tried.get((pattern, node), -1) + 1
            current = number[id(pattern)][min(at, len(number[id(pattern)]) - 1)]
        phase = "initial" if initial else "specific"
        attempt = {"entry": current, "phase": phase, "node": node, "ok": ok, "reason": reason, "nodes": nodes}
        done["attempts"].append(attempt if phase == "initial" else attempt | {"pattern": _pattern_text(pattern)})
    done["graph_after"] = str(gm.graph)
    return done


def _parts(name):
    """`getitem_4` as ("getitem", 4); a bare name has number 0."""
    base, number = re.fullmatch(r"(.*?)(?:_(\d+))?", name).groups()
    return base, int(number or 0)


class _HiddenNames:
    """Which names of nodes that went as dead code no reader of the graph's text can know of, and whether they mattered.

    Gaps in the numbers that are shown, and the outputs of a node that has several, tell of taken names. Above the highest
    number told, the namespace alone knows (`getitem_4` of a `max` that is gone): a case in which a new node is named
    after such a base has an answer that its own text does not hold.
    """

    def __init__(self, graph):
        told = {}
        for n in graph.nodes:
            base, number = _parts(n.name)
            if n.target is operator.getitem and isinstance(n.args[1], int):
                outputs = n.args[0].meta.get("val")
                number += len(outputs) - 1 - n.args[1] if isinstance(outputs, (list, tuple)) else 0
            told[base] = max(told.get(base, -1), number)
        namespace = graph._graph_namespace
        used = map(_parts, namespace._used_names)
        self.bases = {base for base, number in used if number > told.get(base, -1)}
        self.made = set()
        create = namespace.create_name

        def create_name(candidate, obj):
            name = create(candidate, obj)
            self.made.add(_parts(name)[0])
            return name

        namespace.create_name = create_name

    def check(self):
        if mattered := self.bases & self.made:
            raise ValueError(f"nodes that are gone took names that the graph's text does not tell of: {mattered}")


def _hints(graph):
    """The value of each backed symbol of the graph, as its ShapeEnv holds it."""
    mode = detect_fake_mode([n.meta.get("val", n.meta.get("example_value")) for n in graph.nodes])
    env = mode and mode.shape_env
    values = getattr(env, "backed_var_to_val", None) or getattr(env, "var_to_val", {})
    return {str(symbol): int(value) for symbol, value in values.items()}


def _mode(spec):
    return FakeTensorMode(shape_env=ShapeEnv() if spec.get("shape_env") else None)


def record(spec, gm):
    """The case that `spec`'s pattern makes on the captured graph."""
    hidden = _HiddenNames(gm.graph)
    case = {k: v for k, v in spec.items() if k not in ("v2",)}
    version = ".".join(torch.__version__.split(".")[:2])
    if version != NEWEST:
        case["torch"] = version
    for n in gm.graph.nodes:
        if custom := spec.get("custom_meta", {}).get(n.name):
            n.meta["custom"] = dict(custom)
    case["graph"] = str(gm.graph)
    constants = {n.target: getattr(gm, n.target) for n in gm.graph.nodes if n.op == "get_attr"}
    if tensors := {k: repr(v) for k, v in constants.items() if isinstance(v, torch.Tensor) and v.numel() < 1000}:
        case["get_attr_values"] = tensors
    if hints := _hints(gm.graph):
        case["symbols"] = hints
    case["readable"] = gm.print_readable(print_output=False, include_stride=True, include_device=True)
    scope = vars(_user_pattern)
    _declared.append(dict(scope))
    scope.clear()
    scope["__name__"] = "user_pattern"
    matcher._seen_patterns.clear()  # the patterns of a process, in PyTorch 2.6
    try:
        with _mode(spec):
            exec(compile(spec["pattern_py"], "pattern.py", "exec"), scope)
    except Exception as e:
        return case | {"expected": {"register_error": _error(e)}}
    passes = spec.get("passes") or [k for k, v in scope.items() if isinstance(v, matcher.PatternMatcherPass)]
    expected = {"passes": [_apply(name, scope[name], gm) for name in passes]}
    try:
        gm.graph.eliminate_dead_code()
    except RuntimeError as e:
        expected["not_topologically_sorted"] = str(e).splitlines()[0]
        matcher.stable_topological_sort(gm.graph)
        gm.graph.eliminate_dead_code()
    expected["graph_after_dce"] = str(gm.graph)
    hidden.check()
    return case | {"expected": expected}


class _Taken(Exception):
    pass


def capture(fn, args, v2=False, dynamic=False, where="post_grad_custom_post_pass"):
    """The GraphModule that a custom post-grad pass receives for fn(*args)."""
    taken = []

    def take(graph):
        taken.append(graph.owning_module)
        raise _Taken

    def backend(gm, inputs):
        from torch._inductor.compile_fx import compile_fx

        patches = {where: take, "enable_auto_functionalized_v2": v2, "fx_graph_cache": False}
        return compile_fx(gm, inputs, config_patches=patches)

    torch._dynamo.reset()
    everywhere = dynamic is True
    if isinstance(dynamic, list):
        for argument, dimension in dynamic:
            torch._dynamo.mark_dynamic(args[argument], dimension)
    try:
        with torch.no_grad():
            torch.compile(fn, backend=backend, fullgraph=True, dynamic=everywhere)(*args)
    except Exception:
        if not taken:
            raise
    return taken[0]


def _renumbered(gm):
    """A copy whose names are numbered without gaps, so that the graph's text tells which names are taken."""
    graph, copies = torch.fx.Graph(), {}
    for n in gm.graph.nodes:
        name = n.target if n.op == "placeholder" else _parts(n.name)[0]
        copy = graph.create_node(n.op, n.target, torch.fx.map_arg(n.args, copies.get), torch.fx.map_arg(n.kwargs, copies.get), name)
        copy.meta = dict(n.meta)
        copies[n] = copy
        if n.target is operator.getitem:  # the outputs that nothing uses took names too
            for _ in range(len(n.args[0].meta["val"]) - 1 - n.args[1] if len(n.args[0].users) < len(n.args[0].meta["val"]) else 0):
                graph._graph_namespace.create_name("getitem", None)
    return torch.fx.GraphModule(gm, graph)


def capture_spec(spec):
    if captured := spec.pop("captured", None):
        return captured
    scope = {"__name__": "model"}
    _declared.append(scope)
    # compiled with a file name of its own, so that inspect and dynamo find the source
    import linecache

    name = f"<model {spec['id']}>"
    linecache.cache[name] = (len(spec["model_py"]), None, spec["model_py"].splitlines(True), name)
    exec(compile(spec["model_py"], name, "exec"), scope)
    where = spec.get("where", "post_grad_custom_post_pass")
    torch._dynamo.reset()  # flex_attention compiles itself: sizes that differ from an earlier case's would be symbols
    if where in ("fwd_only", "joint_fwd_bwd"):
        with _mode(spec):
            gm = getattr(matcher, where)(scope["model"], list(scope["example_args"]()))
        if where == "joint_fwd_bwd":  # its namespace holds the names of the graph that it was copied from
            gm = _renumbered(gm)
        return gm
    return capture(scope["model"], scope["example_args"](), spec.get("v2", False), spec.get("dynamic", False), where)


def _too_long(*_):
    raise TimeoutError("too long")


def record_all(specs, out):
    """Records each spec that can be captured; the others are named on stderr."""
    signal.signal(signal.SIGALRM, _too_long)
    for spec in specs:
        signal.alarm(60)
        try:
            gm = capture_spec(spec)
            if edit := spec.pop("edit", None):
                edit(gm.graph)
                for n in gm.graph.nodes:  # which Inductor's own passes left for the graph as it was
                    n.meta.pop("mutation_region_id", None)
            print(json.dumps(record(spec, gm)), file=out, flush=True)
        except Exception as e:
            print(f"{spec['id']}: not captured, {_error(e)[:300]}", file=sys.stderr)
        finally:
            signal.alarm(0)


if __name__ == "__main__":
    record_all((json.loads(line) for line in sys.stdin if line.strip()), sys.stdout)
