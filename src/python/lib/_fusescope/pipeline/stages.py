"""Pipeline stages: the passes that the user's files define, in the order in which hooks and pass managers call them."""

import ast
import inspect
import sys
import types

from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.pattern_matcher import PatternMatcherPass

from .. import environment, frames, stubs
from ..source import returned
from . import candidates, compiling, hooks, managers
from .stage import Stage


def stages(modules: list, made: list[tuple]) -> list[dict]:
    """The stages as data. Propagates exceptions of user methods."""
    named = [item for m in modules for item in vars(m).items() if _is_value(*item)] + list(made)
    with compiling.contexts():
        hung = hooks.values(modules)
        named += _only_in_hooks(hung, named)
        managing = [(name, value, found) for name, value in named if (found := managers.calls(value))]
        pipeline = _find(named, managing)
        for stage in pipeline:
            stage.refused = _refusal(stage.owner)
        pipeline.sort(key=lambda s: s.made)
        for _, manager, calls in managing:
            _gather(pipeline, manager, calls)
        known = {id(x) for s in pipeline for x in (s.value, s.owner) if x is not None} | {id(m) for _, m, _ in managing}
        known |= {id(each) for s in pipeline if s.manager for each in (s.manager[1],)}
        calling_others = [value for _, value in hung if id(value) not in known]
        pipeline += candidates.find(modules, named, calling_others, known | set(map(id, calling_others)))
        hooks.hang(pipeline, hung)
        _choose_path(pipeline)
        pipeline += candidates.within(modules, pipeline)
        return [stage.data() for stage in pipeline]


def not_instantiated(cls: type, manager: str) -> dict:
    """A pass that its manager does not instantiate, as stage data."""
    nothing = dict.fromkeys(("passId", "callable", "hook", "refused", "path", "uuid", "place"))
    return {"variable": f"{manager}.{cls.__name__}", "of": cls.__name__, "manager": manager, "unmade": True, **nothing}


def _find(named, managing):
    """Each pass once: under its own variable, else its manager's, else that of the object that contains it."""
    found, managed = {}, {id(value) for _, value, _ in managing}

    def add(name, value, owner=None, manager=None):
        stage = found.setdefault(id(value), Stage(name, value, owner, manager))
        stage.owner, stage.manager = stage.owner or owner, stage.manager or manager

    def add_object(name, value, manager=None):
        held = managers.held(value)
        for attribute, patterns in held:
            add(f"{name}.{attribute}", patterns, value, manager)
        if not held and isinstance(value, CustomGraphPass) and id(value) not in managed and _does_something(value):
            add(name, value, value, manager)

    for name, value in named:
        if isinstance(value, PatternMatcherPass):
            add(name, value)
    for name, manager, calls in managing:
        members = list({id(p): p for p, *_ in calls}.values())
        for i, inner in enumerate(members):
            same = sum(type(p) is type(inner) for p in members[:i])
            add_object(f"{name}.{type(inner).__name__}{f'#{same + 1}' if same else ''}", inner, (name, manager))
    for name, value in named:
        add_object(name, value)
    for held in PatternMatcherPass.all:
        if held._stage and held._used:
            add(held._stage, held)
    return list(found.values())


def _only_in_hooks(hung, named):
    """[(class, object)]: the objects with patterns that a hook holds and no variable of these modules names."""
    known = {id(value) for _, value in named}
    held = {id(each): each for each in (getattr(value, "__self__", value) for _, value in hung)}
    return [
        (type(value).__name__, value)
        for key, value in held.items()
        if key not in known and not isinstance(value, (type, types.FunctionType)) and managers.held(value)
    ]


def _is_value(name, value):
    return not (name.startswith("__") or isinstance(value, (type, stubs.Stub)) or inspect.ismodule(value))


def _does_something(value):
    return type(value).__call__ is not CustomGraphPass.__call__


def _gather(pipeline, manager, calls):
    """Moves a manager's passes to the position of its first one, in the order of its calls."""
    mine = [s for s in pipeline if s.manager and s.manager[1] is manager]
    if not mine:
        return
    order = []
    for called, number, turn in calls:
        for stage in (s for s in mine if s.owner is called):
            order.append(stage.called_for(turn, number))
            if number == 0:
                order[-1].refused = stage.refused or _passed_over(manager, called)
    at = pipeline.index(mine[0])
    pipeline[:] = pipeline[:at] + order + [s for s in pipeline[at:] if s not in mine]


def _passed_over(manager, called):
    question = f"{type(manager).__name__}.__call__ calls {type(called).__name__}"
    return [question, "False", frames.place_of(type(manager).__call__)]


def _refusal(owner):
    """[query, answer, source line] if the pass rejects the compile range (formerly the size), else None."""
    from vllm.compilation.passes.inductor_pass import InductorPass, get_pass_context

    for name in ("is_applicable_for_range", "is_applicable_for_shape", "is_applicable"):
        method = inspect.getattr_static(type(owner), name, None)
        if isinstance(method, types.FunctionType) and method is not getattr(InductorPass, name):
            compiled = get_pass_context().compile_range if name == "is_applicable_for_range" else environment.tokens()
            applies, returns = returned.watched(getattr(owner, name), compiled)
            question = f"{type(owner).__name__}.{name}({compiled})"
            if applies:
                return None
            settings = _own(owner, returns) or environment.made_from(environment.tokens)
            return [question, repr(bool(applies)), frames.place_of(method), [], settings]
    return None


def _own(owner, returns):
    """[attribute with the line that set it, its value] of the attributes that alone decided what a method of the owner returned."""
    values = (returned.described(returns) or {"values": []})["values"]
    names = [(name.removeprefix("self."), value) for name, value in values]
    # Compared with the compile range, another range may be accepted.
    if any(not name.startswith("self.") for name, _ in values) or not all(name.isidentifier() for name, _ in names):
        return []
    return [[f"attribute {name}{_set_at(type(owner), name, value)}", value] for name, value in names]


def _set_at(cls, name, value):
    """Where a class sets an attribute of its objects: to this value, if the code says so."""
    found = []
    for each in cls.__mro__:
        place = frames.place_of_class(each)
        if place is None:
            continue
        module = ast.parse(frames.sources.get(frames.WORKSPACE + place[0], ""))
        defined = [n for n in ast.walk(module) if isinstance(n, ast.ClassDef) and n.name == each.__name__]
        found += [(place[0], n) for c in defined for n in ast.walk(c) if isinstance(n, (ast.Assign, ast.AnnAssign))]
    targets = {f"self.{name}", name}
    sets = [
        (file, n)
        for file, n in found
        if n.value and any(ast.unparse(t) in targets for t in (n.targets if isinstance(n, ast.Assign) else [n.target]))
    ]
    exact = [(file, n) for file, n in sets if ast.unparse(n.value) == value]
    for file, n in [*exact, *reversed(sets)][:1]:
        return f", set at {file}:{n.lineno},"
    return ""


def _choose_path(pipeline):
    """A graph compiler with its own pattern registry replaces the pass managers, or is off."""
    compiler = sys.modules.get("npugraph_ex")
    if not stubs.is_library(compiler) or not compiler.patterns.registered:
        return
    chosen, theirs = compiler.enabled(), next((s for s in pipeline if s.value is compiler.patterns), None)
    if theirs is None:
        theirs = Stage("npugraph_ex.patterns", compiler.patterns)
        pipeline.append(theirs)
    for stage in pipeline:
        if (stage is theirs) != chosen and (stage is theirs or stage.owner is not None):
            stage.path = ["enable_npugraph_ex", repr(chosen), None, [], environment.made_from(compiler.enabled)]
