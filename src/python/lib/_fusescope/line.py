"""The passes that the user's files leave behind, as one line in the order in which hooks and pass managers call them."""
import inspect
import sys
import types

from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.pattern_matcher import PatternMatcherPass

from . import callables, environment, frames, hooks, stubs


class Stage:
    """One pass of the line: patterns for the engine to apply, or something to call with the graph."""

    def __init__(self, name, value, owner=None, manager=None):
        self.name, self.value, self.owner, self.manager = name, value, owner, manager
        self.hook, self.refused, self.path = None, None, None

    @property
    def made(self):
        """Passes are numbered as they are made; a function is behind them all."""
        return getattr(self.value, "_id", None) or getattr(self.value, "_made_after", 0)

    def data(self):
        is_patterns = isinstance(self.value, PatternMatcherPass)
        return {
            "variable": self.name,
            "passId": self.value._id if is_patterns else None,
            "callable": None if is_patterns else callables.number(self.value),
            "of": None if self.owner is None else type(self.owner).__name__,
            "hook": self.hook,
            "manager": self.manager,
            "refused": self.refused,
            "path": self.path,
            "uuid": _uuid(self.owner),
        }


def stages(modules, made):
    """The line as data. Raises what the user's own methods raise."""
    named = [item for m in modules for item in vars(m).items() if _is_value(*item)] + list(made)
    line = _find(named)
    line.sort(key=lambda s: s.made)
    for name, manager in named:
        _gather(line, name, managed(manager))
    hooks.hang(line)
    for stage in line:
        stage.refused = _refusal(stage.owner)
    _choose_path(line)
    return [stage.data() for stage in line]


def managed(value):
    """The passes of a pass manager: what its list `passes` holds."""
    listed = getattr(value, "__dict__", {}).get("passes")
    if not isinstance(listed, list) or not callable(value):
        return []
    return [p for p in listed if isinstance(p, CustomGraphPass) or _held(p)]


def _find(named):
    """Each pass once: under its own variable, else as its manager's, else as the object's that holds it."""
    found = {}

    def add(name, value, owner=None, manager=None):
        stage = found.setdefault(id(value), Stage(name, value, owner, manager))
        stage.owner, stage.manager = stage.owner or owner, stage.manager or manager

    def add_object(name, value, manager=None):
        held = _held(value)
        for attribute, patterns in held:
            add(f"{name}.{attribute}", patterns, value, manager)
        if not held and isinstance(value, CustomGraphPass) and not managed(value) and _does_something(value):
            add(name, value, value, manager)

    for name, value in named:
        if isinstance(value, PatternMatcherPass):
            add(name, value)
    for name, value in named:
        for inner in managed(value):
            add_object(f"{name}.{type(inner).__name__}", inner, name)
    for name, value in named:
        add_object(name, value)
    return list(found.values())


def _is_value(name, value):
    return not (name.startswith("__") or isinstance(value, (type, stubs.Stub)) or inspect.ismodule(value))


def _held(value):
    return [(k, v) for k, v in getattr(value, "__dict__", {}).items() if isinstance(v, PatternMatcherPass)]


def _does_something(value):
    return type(value).__call__ is not CustomGraphPass.__call__


def _gather(line, name, members):
    """Moves a manager's passes to where its first one is, in its order."""
    order = [id(p) for p in members]
    mine = sorted((s for s in line if s.manager == name), key=lambda s: order.index(id(s.owner)))
    if mine:
        at = min(line.index(s) for s in mine)
        rest = [s for s in line if s not in mine]
        line[:] = rest[:at] + mine + rest[at:]


def _refusal(owner):
    """[question, answer, place] where the pass is not for the compile range (once: the size); else None."""
    from vllm.compilation.passes.inductor_pass import InductorPass, get_pass_context

    for name in ("is_applicable_for_range", "is_applicable_for_shape", "is_applicable"):
        method = inspect.getattr_static(type(owner), name, None)
        if isinstance(method, types.FunctionType) and method is not getattr(InductorPass, name):
            compiled = get_pass_context().compile_range if name == "is_applicable_for_range" else environment.tokens()
            applies = bool(getattr(owner, name)(compiled))
            question = f"{type(owner).__name__}.{name}({compiled})"
            return None if applies else [question, repr(applies), frames.place_of(method)]
    return None


def _choose_path(line):
    """A graph compiler with its own registry of patterns fuses in the place of the pass managers, or not at all."""
    compiler = sys.modules.get("npugraph_ex")
    if compiler is None or not compiler.patterns.registered:
        return
    chosen, theirs = compiler.enabled(), next((s for s in line if s.value is compiler.patterns), None)
    if theirs is None:
        theirs = Stage("npugraph_ex.patterns", compiler.patterns)
        line.append(theirs)
    for stage in line:
        if (stage is theirs) != chosen and (stage is theirs or stage.owner is not None):
            stage.path = ["enable_npugraph_ex", repr(chosen), None]


def _uuid(owner):
    """What the pass itself tells a compile cache."""
    try:
        own = inspect.isfunction(inspect.getattr_static(type(owner), "uuid", None))
        found = owner.uuid() if own else None
    except (OSError, TypeError):  # inspect.getsource found no source
        return None
    return found if isinstance(found, str) else None
