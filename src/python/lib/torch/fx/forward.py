"""GraphModule.forward: a function with the graph's parameters that runs its nodes."""

import keyword
import operator
import types

from _fusescope.graph.codegen import _BoxedCodeGen


class Forward:
    """The attribute `forward` of the class of one GraphModule."""

    def of(self, module):
        self._module = module

    def __get__(self, instance, owner):
        made = _function(self._module)
        return made if instance is None else types.MethodType(made, instance)


def _function(module):
    """A function of the graph's placeholders: symbolic tracing reads its parameters."""
    if isinstance(module._graph._codegen, _BoxedCodeGen):
        return _boxed
    holes = [node for node in module._graph.nodes if node.op == "placeholder"]
    names = [node.target for node in holes]
    if not all(_is_parameter(name) for name in names):
        return _by_position
    defaults = {f"_default_{i}": node.args[0] for i, node in enumerate(holes) if node.args}
    shown = [f"{name}=_default_{i}" if f"_default_{i}" in defaults else name for i, name in enumerate(names)]
    given = [name.lstrip("*") for name in names]
    scope = {"_run": run, **defaults}
    try:
        source = f"def forward({', '.join(['self', *shown])}):\n    return _run(self, ({''.join(f'{name}, ' for name in given)}))"
        exec(source, scope)  # noqa: S102 the names are checked: text of a graph never becomes code
    except SyntaxError:  # two placeholders of one target, or a parameter without default after one with it
        return _by_position
    return scope["forward"]


def _is_parameter(name):
    """True for `x`, `*args` and `**kwargs`; the function's own name `_run` is taken."""
    word = name.removeprefix("*").removeprefix("*")
    return word.isidentifier() and not keyword.iskeyword(word) and word != "_run"


def _boxed(self, args_list):
    values = tuple(args_list)
    args_list.clear()
    return run(self, values)


def _by_position(self, *args):
    return run(self, args)


def run(module, args):
    """Calls the nodes in order."""
    from .node import map_arg

    graph, env, given = module._graph, {}, iter(module._graph.process_inputs(*args))
    for node in graph.nodes:
        values = map_arg(node.args, env.__getitem__)
        named = dict(map_arg(node.kwargs, env.__getitem__))
        if node.op == "placeholder":
            env[node] = next(given)
        elif node.op == "get_attr":
            env[node] = operator.attrgetter(node.target)(module)
        elif node.op == "call_function":
            env[node] = node.target(*values, **named)
        elif node.op == "call_method":
            env[node] = getattr(values[0], node.target)(*values[1:], **named)
        elif node.op == "call_module":
            env[node] = operator.attrgetter(node.target)(module)(*values, **named)
        else:
            return graph.process_outputs(values[0])
    return None
