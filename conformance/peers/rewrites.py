"""Records every call of torch.fx's subgraph rewriter that a test makes, as a case of conformance/rewriter without its source.

A case builds the traced pattern and the replacement node by node; filters and callbacks answer as they did.
"""

import functools
import operator

import torch
from torch.fx import Graph, GraphModule, Node, subgraph_rewriter, symbolic_trace
from torch.fx.node import _get_qualified_name

PRELUDE = """import operator
import torch
from torch import device
from torch.fx.subgraph_rewriter import _replace_pattern
inf, nan = float("inf"), float("nan")
def function_of(module, name):
    def function(*args, **kwargs):
        return torch.fx.Proxy(None)
    function.__module__, function.__name__, function.__qualname__ = module, name, name
    return function
def put(root, path, value):
    *parents, name = path.split(".")
    for parent in parents:
        if not hasattr(root, parent):
            root.add_module(parent, torch.nn.Module())
        root = getattr(root, parent)
    setattr(root, name, value)
def shown(value):
    if isinstance(value, torch.fx.Node):
        return value.name
    if isinstance(value, dict):
        return "{" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(shown, value)) + "]"
    return repr(value)
"""

TAIL = """def _pass(graph):
    try:
        found = _replace_pattern(graph.owning_module, pattern, replacement{options})
        print(len(found))
        for each in found:
            print(shown(each.anchor), shown(each.nodes_map), shown(each.replacements))
    except Exception as e:
        print(type(e).__name__)
torch._inductor.config.post_grad_custom_pre_pass = _pass
"""

exec(PRELUDE[PRELUDE.index("def shown") :])


class NotData(Exception):
    """The rewrite depends on code of the test."""


def _value(value):
    if isinstance(value, Node):
        return f"n[{value.name!r}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + "".join(f"{_value(v)}, " for v in value) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, slice):
        return f"slice({_value(value.start)}, {_value(value.stop)}, {_value(value.step)})"
    if value is None or isinstance(value, (bool, int, float, str, torch.dtype, torch.device, type(...))):
        return repr(value)
    raise NotData(f"an argument of {type(value).__name__}")


def _target(node):
    if node.op != "call_function":
        return repr(node.target)
    name = _get_qualified_name(node.target).replace("_operator.", "operator.")
    module = name.partition(".")[0]
    if "." not in name or module in ("torch", "operator"):
        return name
    return "function_of({!r}, {!r})".format(*name.rpartition(".")[::2])


def _module_text(value):
    if isinstance(value, torch.Tensor):
        made = f"torch.empty({tuple(value.shape)}, dtype={value.dtype})"
        return f"torch.nn.Parameter({made})" if isinstance(value, torch.nn.Parameter) else made
    text = f"torch.nn.{value!r}"
    try:
        if repr(eval(text)) == repr(value) and type(eval(text)) is type(value):
            return text
    except Exception:
        pass
    raise NotData(f"a module of class {type(value).__name__}")


def _graph_text(graph):
    lines = ["    n, g = {}, torch.fx.Graph()"]
    for node in graph.nodes:
        parts = f"{node.op!r}, {_target(node)}, {_value(node.args)}, {_value(node.kwargs)}, {node.name!r}"
        lines.append(f"    n[{node.name!r}] = g.create_node({parts})")
    return lines


def _root_text(graph, owner):
    lines = []
    for node in graph.nodes:
        if node.op in ("call_module", "get_attr"):
            value = operator.attrgetter(node.target)(owner)
            lines.append(f"    put(root, {node.target!r}, {_module_text(value)})")
    return lines


def _made(name, source):
    """Python that makes `name`, equal to a pattern or a replacement."""
    if source is None:
        return f"{name} = None\n"
    graph = source.graph if isinstance(source, GraphModule) else source
    if not isinstance(graph, Graph):
        graph = symbolic_trace(source).graph
    owner = source if isinstance(source, torch.nn.Module) else graph.owning_module
    lines = [f"def {name}():", *_graph_text(graph)]
    root = _root_text(graph, owner)
    if isinstance(source, torch.nn.Module) or root:
        lines += ["    root = torch.nn.Module()", *root, "    return torch.fx.GraphModule(root, g)"]
    else:
        lines.append("    return g")
    return "\n".join([*lines, f"{name} = {name}()", ""])


def _text(gm):
    """print(gm.graph), below the classes of its modules where it calls some."""
    modules = str(gm).partition("\n\n\n\n")[0] + "\n\n" if gm.graph.find_nodes(op="call_module") else ""
    return modules + str(gm.graph)


def recording(inner, write):
    """`_replace_pattern`, which passes each call as a case to `write`, or the reason why it cannot be one."""

    @functools.wraps(inner)
    def replace(gm, pattern, replacement=None, match_filters=None, ignore_literals=False, replacement_callback=None, node_name_match=""):
        answers, graphs = [], []

        def noted(accepts):
            def check(*args):
                answers.append(bool(accepts(*args)))
                return answers[-1]

            return check

        def called(*args):
            graph = replacement_callback(*args)
            graphs.append(_made(f"made_{len(graphs)}", graph))
            return graph

        text, refused = _text(gm), None
        try:
            file = _made("pattern", pattern) + _made("replacement", replacement)
        except NotData as e:
            refused = str(e)
        filters = [noted(f) for f in match_filters or ()]
        found = error = None
        try:
            found = inner(gm, pattern, replacement, filters, ignore_literals, replacement_callback and called, node_name_match)
            return found
        except Exception as e:
            error = e
            raise
        finally:
            if refused:
                write({"left_out": refused})
            else:
                options = f", ignore_literals={ignore_literals}, node_name_match={node_name_match!r}"
                if filters:
                    file += f"answers = iter({answers})\n"
                    options += f", match_filters=[{', '.join(['lambda *_: next(answers)'] * len(filters))}]"
                if replacement_callback:
                    file += "".join(graphs) + f"made = iter([{', '.join(f'made_{i}' for i in range(len(graphs)))}])\n"
                    options += ", replacement_callback=lambda *_: next(made)"
                printed = [type(error).__name__] if error else [str(len(found))]
                for each in found or ():
                    printed.append(" ".join(map(shown, (each.anchor, each.nodes_map, each.replacements))))
                file = PRELUDE + file + TAIL.replace("{options}", options)
                write({"file": file, "graph": text, "printed": "\n".join(printed), "graph_after": str(gm.graph)})

    return replace


def install(write):
    subgraph_rewriter._replace_pattern = recording(subgraph_rewriter._replace_pattern, write)
