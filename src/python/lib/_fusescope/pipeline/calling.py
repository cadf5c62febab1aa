"""How code on a graph is called: what it takes, and the graph that it returns."""

import annotationlib
import ast
import inspect
import re
import textwrap
import types
from typing import Any

from .. import frames, stubs
from . import own_models
from .programs import program_of

# What a parameter takes, by the class in its annotation…
_ANNOTATED = {
    "GraphModule": "module",
    "Module": "module",
    "ExportedProgram": "program",
    "Graph": "graph",
    "FxGraph": "graph",
}
# …by its name…
_NAMED = {
    **dict.fromkeys(("graph", "fx_graph", "g", "fxgraph", "aten_graph", "input_graph"), "graph"),
    **dict.fromkeys(
        (
            "gm",
            "graph_module",
            "fx_module",
            "fx_model",
            "traced",
            "module",
            "model",
            "mod",
            "fx_gm",
            "traced_module",
            "traced_model",
            "graph_mod",
            "graphmodule",
            "g_module",
        ),
        "module",
    ),
    **dict.fromkeys(("exported_program", "ep", "exp_program", "exported", "edge_program", "exported_model"), "program"),
}
# …and by the attributes that the code reads of it.
_READ = {
    **dict.fromkeys(
        (
            "nodes",
            "inserting_before",
            "inserting_after",
            "erase_node",
            "find_nodes",
            "call_function",
            "create_node",
            "node_copy",
            "output_node",
        ),
        "graph",
    ),
    **dict.fromkeys(("graph", "recompile", "named_modules", "get_submodule", "print_readable"), "module"),
    **dict.fromkeys(("graph_module", "graph_signature"), "program"),
}
_INPUTS = frozenset("example_inputs inputs sample_inputs joint_inputs args example_inputs_ fake_inputs".split())


# Calls of stubs that read a graph or draw it.
_LOOKS = re.compile(
    r"log|dump|print|draw|debug|trace|observ|tim(e|ing)|profil|check|lint|verif|valid|assert|save|count|result", re.I
)
_replaced = []  # the number of places of each replace_pattern since begin
_missing = {}  # calls of stubs that received a graph: their edits are missing


def begin() -> None:
    _replaced.clear()
    _missing.clear()


def end() -> list:
    """Since begin: the number of places that replace_pattern replaced, or None, and `module.name at file:line` of each stub that
    received a graph."""
    return [sum(_replaced) if _replaced else None, list(_missing)]


def replaced(places: list) -> list:
    _replaced.append(len(places))
    return places


def stub_called(stub: Any, given: list) -> None:
    from torch import fx

    if any(isinstance(value, (fx.Graph, fx.GraphModule)) for value in given) and not _LOOKS.search(stub._name):
        place = frames.user_place()
        _missing[f"{stub._module}.{stub._name}" + ("" if place is None else f" at {place[0]}:{place[1]}")] = None


class Call:
    """Calls a user-defined pass with the argument that it expects: the graph, its module, or a program; `own`: none."""

    def __init__(self, value, takes, returns=True):
        self.value, self.takes = value, takes
        self.returns = returns  # False: the caller ignores the result, as Inductor's hooks do

    def __call__(self, graph):
        """Returns the graph after the code: the same one, or a new one."""
        module = graph.owning_module
        if self.takes == "own":
            own_models.call(self.value, module)
            return module.graph
        given = graph if self.takes == "graph" else program_of(module) if self.takes == "program" else module
        value = self.value() if isinstance(self.value, type) else self.value
        made = value(given, _examples(graph)) if self.takes == "inputs" else value(given, *_configurations(value))
        return (self.returns and graph_of(made)) or module.graph


def _configurations(value):
    """The objects for the parameters after the graph: configurations of a class that is made without arguments."""
    classes = _further(value)
    if classes:
        shown = ", ".join(f"{cls._name if isinstance(cls, stubs.Stub) else cls.__name__}()" for cls in classes)
        print(f"Fusescope called {getattr(value, '__name__', type(value).__name__)} with {shown}.")
    return [cls if isinstance(cls, stubs.Stub) else cls() for cls in classes]


def _further(value):
    """The classes of the required parameters after the graph; None if one of them cannot be made without arguments."""
    function = _function_of(value)
    code = function.__code__
    skipped = 1 if isinstance(value, types.FunctionType) else 2
    required = code.co_varnames[skipped : code.co_argcount - len(function.__defaults__ or ())]
    classes = [_class_of(function, name) for name in required]
    return None if any(cls is None for cls in classes) else classes


def _class_of(function, name):
    """The class in a parameter's annotation, if it is made without arguments: of user code, or a stub."""
    given = _annotation(function, name)
    if isinstance(given, str):
        first, *rest = given.split(".")
        given = function.__globals__.get(first)
        for attribute in rest:
            given = getattr(given, attribute, None)
    if isinstance(given, stubs.Stub):
        return given
    makes = isinstance(given, type) and frames.is_of_user(given) and not required_of(given)
    return given if makes else None


def required_of(cls: type) -> list[str]:
    """Names of the parameters that user code must give to make an object."""
    init = inspect.getattr_static(cls, "__init__", None)
    if not isinstance(init, types.FunctionType):
        return []
    # As text: names that only a type checker imports are not looked up.
    signature = inspect.signature(init, annotation_format=annotationlib.Format.STRING)
    parameters = list(signature.parameters.values())[1:]
    return [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def made_of_program(cls: type) -> bool:
    """True if the one parameter that an object of the class needs is an exported program."""
    required = required_of(cls)
    if len(required) != 1:
        return False
    annotated = _annotated(inspect.getattr_static(cls, "__init__"), required[0])
    return (annotated or _NAMED.get(required[0].lower().strip("_"))) == "program"


def _examples(graph):
    """What torch.compile passes beside a graph: its inputs."""
    metas = [node.meta for node in graph.nodes if node.op == "placeholder"]
    return [dict.get(meta, "val", dict.get(meta, "example_value")) for meta in metas]


def graph_of(made: Any) -> Any:
    """The graph in a pass's return value: a graph, a module, a PassResult, a program, a module's forward; else None."""
    from torch import fx

    if isinstance(made, types.FunctionType):
        made = inspect.unwrap(made)
    if isinstance(made, types.MethodType):
        made = made.__self__
    if isinstance(made, tuple) and made and not hasattr(made, "graph_module"):
        made = made[0]
    if isinstance(made, fx.Graph):
        return made
    # Attributes of a stub are stubs.
    found = getattr(getattr(made, "graph_module", made), "graph", None)
    return found if isinstance(found, fx.Graph) else None


def takes(value: Any) -> str | None:
    """What a callable takes: `graph`, `module`, `program`, or `inputs` (a module and its inputs); None: no graph. Reads
    names and annotations, and runs nothing."""
    function = _function_of(value)
    if function is None:
        return None
    code = function.__code__
    names = list(code.co_varnames[: code.co_argcount])
    if not isinstance(value, types.FunctionType):
        names = names[1:]
    required = names[: len(names) - len(function.__defaults__ or ())]
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if not names or any(name not in (function.__kwdefaults__ or {}) for name in keywords):
        return None
    if (annotated := _annotated(function, names[0])) == "other":
        return None
    found = annotated or _NAMED.get(names[0].lower().strip("_")) or _read(function, names[0])
    if len(required) == 2 and found == "module" and required[1] in _INPUTS:
        return "inputs"
    if len(required) > 1 and _further(value) is None:
        return None
    # A model's class and a tensor function have parameters of these names, too.
    return (
        found
        if found
        and (names[0] not in ("g", "module", "model", "mod", "exported") or annotated or _read(function, names[0]))
        else None
    )


def _function_of(value):
    """The function that a callable runs: itself, or the method of an object or of the objects of a class."""
    if isinstance(value, types.FunctionType):
        return inspect.unwrap(value)
    if isinstance(value, types.MethodType):
        return inspect.unwrap(value.__func__)
    cls = value if isinstance(value, type) else type(value)
    found = inspect.getattr_static(cls, "__call__", None)
    return inspect.unwrap(found) if isinstance(found, types.FunctionType) else None


def _annotation(function, name):
    try:
        return (getattr(function, "__annotations__", None) or {}).get(name)
    except Exception:  # evaluated late, names that do not exist
        return None


def _annotated(function, name):
    """The graph kind that an annotation (an object, or text if postponed) names; `other`: no graph."""
    given = _annotation(function, name)
    if given is None:
        return None
    given = given._name if isinstance(given, stubs.Stub) else given
    text = given if isinstance(given, str) else getattr(given, "__name__", None) or str(given)
    last = text.split("[")[-1].rstrip("]").split("|")[0].strip().split(".")[-1]
    return _ANNOTATED.get(last, None if last in ("Any", "object") else "other")


def _read(function, name):
    """The graph kind by the attributes that the function reads from a parameter. A Match of patterns has `nodes`, too."""
    if name == "match":
        return None
    return next((_READ[attribute] for attribute in _attributes(function, name) if attribute in _READ), None)


def _attributes(function, name):
    code = function.__code__
    lines = frames.sources.get(code.co_filename, "").splitlines()[code.co_firstlineno - 1 :]
    try:
        block = inspect.getblock([line + "\n" for line in lines])
        tree = ast.parse(textwrap.dedent("".join(block)))
    except (SyntaxError, ValueError, IndexError):
        return []
    return [
        n.attr
        for n in ast.walk(tree)
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == name
    ]


stubs.called_in_pass.append(stub_called)
