"""Other code that acts on a graph: PassBase objects and classes, pass managers, backends of torch.compile, classes of
stubbed bases, callables, and functions. Code that the files name as a pass runs without being switched on; the rest is proposed."""

import inspect
import re
import sys
import types

from torch._dynamo.backends import registry
from torch._inductor.custom_graph_pass import CustomGraphModulePass, CustomGraphPass

from .. import frames, stubs
from ..source import followed
from . import calling, functions_of, own_models
from .programs import OfProgram
from .stage import Stage

# Methods by which a pass of a base class that Fusescope lacks may be called, the likeliest first.
_METHODS = ("__call__", "call", "run", "apply", "transform", "run_pass", "apply_pass", "run_on_graph", "process")


def find(modules: list, named: list[tuple], hung: list, known: set[int]) -> list:
    """[Stage] of these modules. `named`: [(name, value)] of their objects and of those that we made. `hung`: the values of hooks, which
    call what they name themselves. `known`: ids of the values that are stages already."""
    found = []

    def add(name, value, takes, **facts):
        if id(value) not in known:
            known.add(id(value))
            found.append(Stage(name, value, takes=takes, **facts))

    for name, value in registry.used():
        if frames.is_users(value) or frames.is_of_user(value):
            add(name, value, "inputs", hook="backend")
    called = _reached([*hung, *(f for _, f in registry.used())])
    objects = [(name, value) for name, value in named if not isinstance(value, types.FunctionType)]
    for name, value in objects:
        if _is_manager(value):
            for stage in _managed(name, value):
                passed = [stage.value.passed] if isinstance(stage.value, Step) else list(value.passes)
                called |= _reached(passed)
                known |= set(map(id, passed))
                add(stage.name, stage.value, "module", manager=stage.manager)
            known.add(id(value))
    for name, value in objects:
        if takes := _taken_by(type(value)):
            add(name, value, takes, owner=value, proposed=id(value) in called)
    for name, value in objects:
        if frames.is_of_user(value) and not isinstance(value, CustomGraphPass):
            _add_object(name, value, add, called)
    instantiated = {type(value) for _, value in objects}
    for cls in _classes(modules):
        if cls not in instantiated:
            _add_class(cls, add, called)
    _add_functions(modules, add, called)
    return found


def _add_class(cls, add, called):
    """A class that nothing instantiates: it is called as `Class()(graph)`."""
    # Classes of vLLM's bases are left to its managers.
    others = issubclass(cls, CustomGraphPass) and CustomGraphPass not in cls.__bases__
    if cls in stubs.instantiated or cls in CustomGraphPass.made or others or _called_at_top(cls):
        return
    if inspect.isabstract(cls):
        if _taken_by(cls):
            lacks = ", ".join(sorted(cls.__abstractmethods__))
            add(
                cls.__name__,
                cls,
                None,
                unmade=f"{cls.__name__} is abstract: it does not define {lacks}.",
                place=frames.place_of_class(cls),
            )
        return
    stub, required = stubs.base_of(cls), calling.required_of(cls)
    takes, method = _taken_by(cls) or calling.takes(cls), None
    if takes is None and (stub is not None or _named_pass(cls)):
        takes, method = _of_methods(cls)
    if takes is None and not (stub is not None and stubs.names_pass(cls, stub)):
        if stub is None and not required and id(cls) not in called:
            _add_methods(cls.__name__, cls, lambda method: Method(cls, method), add)
        return
    name, place = cls.__name__, frames.place_of_class(cls)
    note = None if stub is None else _note(stub)
    of_program = bool(required) and calling.made_of_program(cls)
    if takes is None or (required and not of_program):
        if stub is not None or _taken_by(cls) or _named_pass(cls):
            why = (
                f"{name} needs {', '.join(required)}: create an object of it at module level."
                if takes
                else f"{note} No method of {name} takes a graph."
            )
            add(name, cls, takes, unmade=why, place=place)
        return
    value = OfProgram(cls, method) if of_program else cls if method is None else Method(cls, method)
    if of_program:
        note = " ".join(filter(None, (note, f"{name} is made with the program of the graph.")))
    add(
        name,
        value,
        takes,
        place=place,
        note=note,
        proposed=id(cls) in called or not (_taken_by(cls) or (stub is not None and stubs.names_pass(cls, stub))),
    )


def _named_pass(cls):
    """True if the name of the class or of a base class in the files says that it is a pass."""
    return any(re.search("pass(?!.*manager)", k.__name__, re.I) for k in cls.__mro__ if frames.is_of_user(k))


def _called_at_top(cls):
    """True if a line of its module, outside of functions and classes, makes an object of it."""
    text = frames.sources.get(getattr(sys.modules.get(cls.__module__), "__file__", None), "")
    return re.search(rf"^(?!\s|#|class\b|def\b).*\b{re.escape(cls.__name__)}\(", text, re.M) is not None


def _add_object(name, value, add, called):
    cls = type(value)
    stub, takes = stubs.base_of(cls), calling.takes(value)
    method = None
    if takes is None and (stub is not None or _named_pass(cls)):
        takes, method = _of_methods(cls)
    if takes and stub is None:
        add(name, value if method is None else getattr(value, method), takes, owner=value, proposed=True)
    elif takes:
        runs = stubs.names_pass(cls, stub) and id(value) not in called
        add(
            name,
            value if method is None else getattr(value, method),
            takes,
            owner=value,
            note=_note(stub),
            proposed=not runs,
        )
    elif stub is None and id(value) not in called:
        _add_methods(name, cls, lambda method: getattr(value, method), add)


def _add_methods(name, cls, bound, add):
    """Public methods that take a graph, of a class that is not named a pass. `bound`: the callable of a method's name."""
    for method in dict.fromkeys(m for k in cls.__mro__ if frames.is_of_user(k) for m in vars(k)):
        if not method.startswith("_") and (takes := _taken_by_method(cls, method)):
            add(f"{name}.{method}", bound(method), takes, proposed=True, place=frames.place_of(getattr(cls, method)))


def _note(stub):
    return f"Its base class {stub._module}.{stub._name} is a stub: what that class does is missing here."


def _add_functions(modules, add, called):
    """Functions of one parameter that takes a graph, except those that another of them calls, and those that trace a model."""
    own = functions_of.own(modules)
    functions = [(f, takes) for f in own if (takes := calling.takes(f))]
    for f, takes in functions:
        others = _reached([g for g, _ in functions if g is not f])
        if id(f) not in called and id(f) not in others:
            add(f.__name__, f, takes, proposed=True)
    for name, f, inner in functions_of.wrapped(modules):
        if id(f) not in called and (takes := calling.takes(inner)):
            add(name, f, takes, proposed=True, place=frames.place_of(inner))
    for f in filter(own_models.rewrites_own, own):
        note = f"{f.__name__} traces a model itself: Fusescope gives it the open graph for that model."
        add(f.__name__, f, "own", proposed=True, note=note)


def within(modules: list, stages: list) -> list:
    """Functions that other passes call. They run only by name."""
    known = {id(s.value) for s in stages} | {id(s.owner) for s in stages}
    names = {s.name for s in stages}
    found = [
        Stage(f.__name__, f, takes=takes, proposed=True, within=True)
        for f in functions_of.own(modules)
        if id(f) not in known and f.__name__ not in names and (takes := calling.takes(f))
    ]
    return list({stage.name: stage for stage in found}.values())


class Method:
    """`Class().method(graph)`."""

    def __init__(self, cls, method):
        self._cls, self._method = cls, method

    def __call__(self, graph):
        return getattr(self._cls(), self._method)(graph)


class Step:
    """One pass of a manager, with the manager's check after it."""

    def __init__(self, manager, passed):
        self.manager, self.passed = manager, passed

    def __call__(self, module):
        made = self.passed(module)
        result = getattr(made, "graph_module", made)
        if getattr(self.manager, "run_checks_after_each_pass", False):
            self.manager.check(module if result is None else result)
        return made


def _is_manager(value):
    managers = [
        getattr(sys.modules.get(name), "PassManager", None)
        for name in (
            "torch.fx.passes.infra.pass_manager",
            "torch.fx.passes.pass_manager",
            "executorch.exir.pass_manager",
        )
    ]
    return isinstance(value, tuple(m for m in managers if isinstance(m, type)))


def _managed(name, manager):
    """Each pass of a manager that runs them once; else the manager, which repeats them."""
    if getattr(manager, "steps", 1) != 1 or not isinstance(manager.passes, (list, tuple)):
        return [Stage(name, manager)]
    if solve := getattr(manager, "solve_constraints", None):
        solve()
    stages, names = [], []
    for each in manager.passes:
        inner = inspect.unwrap(each) if isinstance(each, types.FunctionType) else each
        names.append(getattr(inner, "__name__", type(inner).__name__))
        same = names.count(names[-1])
        stages.append(
            Stage(f"{name}.{names[-1]}{f'#{same}' if same > 1 else ''}", Step(manager, each), manager=(name, manager))
        )
    return stages


# Base classes of passes, and what their `call` takes.
_BASES = (
    ("torch.fx.passes.infra.pass_base", "PassBase", "module"),
    ("executorch.exir.pass_base", "ExportedProgramPassBase", "program"),
)


def _taken_by(cls):
    """What a pass of this class takes; None if its base classes do not say."""
    if issubclass(cls, CustomGraphModulePass):
        return "module"
    for module, name, takes in _BASES:
        base = getattr(sys.modules.get(module), name, None)
        if base is not None and issubclass(cls, base) and cls.__module__ != base.__module__:
            return takes
    return None


def _classes(modules):
    """The classes of these modules that no other of them derives from."""
    classes = [c for m in modules for c in vars(m).values() if isinstance(c, type) and c.__module__ == m.__name__]
    return [c for c in classes if not any(c in other.__mro__[1:] for other in classes)]


def _of_methods(cls):
    """(what it takes, method) of the first method that takes a graph."""
    for name in _METHODS:
        if takes := _taken_by_method(cls, name):
            return takes, None if name == "__call__" else name
    return None, None


def _taken_by_method(cls, name):
    """What a method of user code takes beside its object; None: no graph."""
    method = inspect.getattr_static(cls, name, None)
    own = isinstance(method, types.FunctionType) and frames.is_users(method)
    return calling.takes(types.MethodType(method, cls)) if own else None


def _reached(values):
    """Ids of the functions, classes and objects of user code that the code of these names, directly or through others."""
    reached, left = set(), list(values)
    while left:
        value = left.pop()
        for function in _functions(value):
            for code in followed.all_of(function.__code__):
                for name in code.co_names:
                    inner = function.__globals__.get(name)
                    if (
                        inner is not None
                        and id(inner) not in reached
                        and (frames.is_users(inner) or frames.is_of_user(inner))
                    ):
                        reached.add(id(inner))
                        left.append(inner)
    return reached


def _functions(value):
    value = getattr(value, "func", value)  # a functools.partial
    if isinstance(value, (types.FunctionType, types.MethodType)):
        inner = inspect.unwrap(getattr(value, "__func__", value))
        return [inner] if frames.is_users(inner) else []
    cls = value if isinstance(value, type) else type(value)
    return [
        f for k in cls.__mro__ for f in vars(k).values() if isinstance(f, types.FunctionType) and frames.is_users(f)
    ]
