"""torch.fx names, for annotations and isinstance."""
from _fusescope import partial_modules as _partial
from _fusescope.graph.graph import Graph
from _fusescope.graph.node import Node
from _fusescope.graph.table import Table

from . import graph  # noqa: F401
from .node import has_side_effect, map_arg  # noqa: F401


class GraphModule:
    """A graph with its module's attributes. It can be read and edited, not run."""

    def __init__(self, root=None, graph=None, class_name="GraphModule"):
        self.graph, self.meta = graph, {}

    @classmethod
    def _traced(cls, number):
        made = cls(graph=Graph(Table(number)))
        made.graph.owning_module = made
        return made

    def register_buffer(self, name, tensor, persistent=True):
        setattr(self, name, tensor)

    register_parameter = register_buffer

    def get_submodule(self, target):
        return getattr(self, target)

    def add_submodule(self, target, m):
        setattr(self, target, m)
        return True

    def delete_all_unused_submodules(self):
        """Does nothing: submodules of a printed graph are kept."""

    def recompile(self):
        return None

    def named_children(self):
        return iter(())

    children = named_modules = named_children

    def print_readable(self, print_output=True, **kwargs):
        text = str(self.graph)
        if print_output:
            print(text)
        return text

    def __call__(self, *args, **kwargs):
        raise NotImplementedError("Fusescope's GraphModule is for reading and editing; it cannot be run")

    def __str__(self):
        return f"GraphModule()\n\n{self.graph}"


Proxy = type("Proxy", (), {})
Tracer = type("Tracer", (), {})
_NOT_RUN = "graphs are read and edited, never run"
Interpreter = _partial.refused("torch.fx.Interpreter", reason=_NOT_RUN)
Transformer = _partial.refused("torch.fx.Transformer", (Interpreter,), _NOT_RUN)
CodeGen = _partial.refused("torch.fx.CodeGen", reason=_NOT_RUN)


def symbolic_trace(*args, **kwargs):
    raise NotImplementedError("Fusescope traces patterns with fwd_only; torch.fx.symbolic_trace is not here")


def wrap(fn):
    return fn


__all__ = ["Graph", "GraphModule", "Node", "Proxy", "Tracer", "symbolic_trace", "wrap"]


__getattr__ = _partial.of_pytorch(__name__)
