"""torch.fx.GraphModule: a graph with the parameters, buffers and modules that its nodes name."""

import copy
import itertools

import torch
from _fusescope import bridge, engine, frames, partial_modules as _partial
from _fusescope.graph import attributes
from _fusescope.graph.codegen import _BoxedCodeGen, _PyTreeCodeGen, boxed, wrapping
from _fusescope.graph.graph import Graph

from .forward import Forward


def _get_attr(model, attr_name):
    return _get_attr_via_attr_list(model, attr_name.split("."))


def _get_attr_via_attr_list(model, attr_list):
    value = model
    for item in attr_list[:-1]:
        value = getattr(value, item, None)
        if value is None:
            raise AssertionError(f"Attribute '{item}' not found in model")
    return getattr(value, attr_list[-1]) if attr_list else value


def _del_attr(model, attr_name):
    names = attr_name.split(".")
    delattr(_get_attr_via_attr_list(model, names[:-1]), names[-1])


def _has_attr(model, attr_name):
    value = model
    for item in attr_name.split("."):
        if not hasattr(value, item):
            return False
        value = getattr(value, item)
    return True


def _copy_attr(from_module, to_module, target):
    *prefix, field = target.split(".")
    for item in prefix:
        source, made = getattr(from_module, item), getattr(to_module, item, None)
        if source is made:
            return
        if made is None:
            made = torch.nn.Module()
            setattr(to_module, item, made)
        from_module, to_module = source, made
    found = getattr(from_module, field)
    persistent = field not in getattr(from_module, "_non_persistent_buffers_set", ())
    _put(to_module, field, found, persistent)


def _assign_attr(from_obj, to_module, target):
    *prefix, field = target.split(".")
    for item in prefix:
        made = getattr(to_module, item, None)
        if made is None:
            made = torch.nn.Module()
            setattr(to_module, item, made)
        to_module = made
    _put(to_module, field, from_obj)


def _put(module, name, value, persistent=True):
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        module.register_buffer(name, value, persistent)
    elif attributes.is_unknown(value):
        module.__dict__[name] = value
    else:
        setattr(module, name, value)


class GraphModule(torch.nn.Module):
    _of_text = False  # True: the graph was read or traced by the engine, so its attributes are made on demand

    def __new__(cls, *args, **kwargs):
        base = next(c for c in cls.__mro__ if c.__qualname__.split(".")[-1] != "GraphModuleImpl")
        # Each has a class of its own, which has its name and its forward.
        own = type(base)("GraphModuleImpl", (base,), {"__module__": __name__})
        own.__qualname__ = "GraphModule.__new__.<locals>.GraphModuleImpl"
        if base.forward is GraphModule.forward:
            own.forward = Forward()
        self = super().__new__(own)
        if isinstance(own.__dict__.get("forward"), Forward):
            own.__dict__["forward"].of(self)
        return self

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        type(self).__name__ = class_name
        used = [node.target for node in graph.nodes if node.op in ("get_attr", "call_module")]
        if isinstance(root, torch.nn.Module):
            self.training = root.training
            for target in used:
                _copy_attr(root, self, target)
        elif isinstance(root, dict):
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module") and node.target not in root:
                    raise RuntimeError(
                        f"Node {node} referenced target {node.target} but that target was not provided in ``root``!"
                    )
            for target in sorted(used, key=lambda t: t.count(".")):
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self._begin(graph)
        self._tracer_cls = graph._tracer_cls
        self._tracer_extras = graph._tracer_extras or {}

    def _begin(self, graph):
        self.meta = {}
        self._replace_hooks, self._create_node_hooks, self._erase_node_hooks, self._deepcopy_hooks = [], [], [], []
        self.shape_env = self._tracer_cls = None
        self._graph = None
        if graph is not None:
            self.graph = graph

    @classmethod
    def _of_dump(cls):
        """The module of the shown graph."""
        made = cls.__new__(cls)
        type(made).__name__ = "GraphModule"
        made._of_text = True
        made._begin(None)
        return made

    @classmethod
    def _traced(cls, number):
        """The module of a graph that the engine traced."""
        made = cls._of_dump()
        made.graph = Graph._of(number)
        return made

    @property
    def graph(self):
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self._graph, self._graph_given = g, frames.user_places() if bridge.recording else ()
        g.owning_module = self
        self.recompile()

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            # Only an attribute that the graph names: hasattr of another one stays False.
            if not self.__dict__.get("_of_text") or name.startswith("__") or self.__dict__.get("_graph") is None:
                raise
            made = attributes.of(self, name)
            if made is None:
                raise
            _put(self, name, made)
            return made

    def forward(self, *args, **kwargs):
        raise NotImplementedError

    def recompile(self):
        """Nothing is compiled: `forward` runs the nodes, and `code` is made when it is asked for."""
        codegen = self._graph._codegen
        if isinstance(codegen, _PyTreeCodeGen):
            self._in_spec, self._out_spec = codegen.pytree_info.in_spec, codegen.pytree_info.out_spec
        from .graph import PythonCode

        return PythonCode(None, {}, {})

    @property
    def code(self):
        text = wrapping(engine.graph_code(self._graph._table.number), self._graph.nodes)
        return boxed(text) if isinstance(self._graph._codegen, _BoxedCodeGen) else text

    _code = code

    def print_readable(self, print_output=True, include_stride=False, include_device=False, colored=False, **options):
        text = engine.graph_readable(
            self._graph._table.number, self._get_name(), bool(include_stride), bool(include_device)
        )
        if print_output:
            print(text)
        return text

    def add_submodule(self, target, m):
        *prefix, field = target.split(".")
        module = self
        for item in prefix:
            child = getattr(module, item, None)
            if child is None:
                child = torch.nn.Module()
                setattr(module, item, child)
            if not isinstance(child, torch.nn.Module):
                return False
            module = child
        module.add_module(field, m)
        return True

    named_modules = attributes.filled(torch.nn.Module.named_modules)
    named_children = attributes.filled(torch.nn.Module.named_children)

    def delete_submodule(self, target):
        path, _, name = target.rpartition(".")
        try:
            module = self.get_submodule(path)
        except AttributeError:
            return False
        if not isinstance(getattr(module, name, None), torch.nn.Module):
            return False
        delattr(module, name)
        return True

    def delete_all_unused_submodules(self):
        used = set()
        for node in self.graph.nodes:
            if node.op not in ("call_module", "get_attr"):
                continue
            used.update(itertools.accumulate(node.target.split("."), "{}.{}".format))
            if node.op == "call_module":
                try:
                    child = self.get_submodule(node.target)
                except AttributeError:
                    continue
                used.update(f"{node.target}.{name}" for name, _ in child.named_modules() if name)
        for name in [name for name, _ in self.named_modules() if name not in used]:
            self.delete_submodule(name)

    def _set_hook(self, hooks, f):
        if not callable(f):
            raise AssertionError("create_node hook must be a callable.")
        hooks.append(f)

    def _register_replace_node_hook(self, f):
        self._set_hook(self._replace_hooks, f)

    def _unregister_replace_node_hook(self, f):
        self._replace_hooks.remove(f)

    def _register_create_node_hook(self, f):
        self._set_hook(self._create_node_hooks, f)

    def _unregister_create_node_hook(self, f):
        self._create_node_hooks.remove(f)

    def _register_erase_node_hook(self, f):
        self._set_hook(self._erase_node_hooks, f)

    def _unregister_erase_node_hook(self, f):
        self._erase_node_hooks.remove(f)

    def _copied(self, graph, root):
        made = GraphModule(root, graph, self._get_name()) if not self._of_text else GraphModule._of_dump()
        if self._of_text:
            type(made).__name__ = self._get_name()
            for table in ("_parameters", "_buffers", "_modules"):
                made.__dict__[table].update(root.__dict__[table])
            made.graph = graph
        return made

    def __deepcopy__(self, memo):
        graph = copy.deepcopy(self._graph, {})
        made = self._copied(graph, self)
        memo[id(self)] = made
        for name, child in made.named_children():
            if isinstance(child, GraphModule):
                setattr(made, name, copy.deepcopy(child, memo))
        for name in ("_replace_hooks", "_create_node_hooks", "_erase_node_hooks", "_deepcopy_hooks"):
            setattr(made, name, list(self.__dict__[name]))
        made.meta = copy.deepcopy(self.meta, memo)
        for hook in self._deepcopy_hooks:
            hook(made)
        return made

    def __copy__(self):
        made = self._copied(self._graph, self)
        made.meta = self.meta
        return made

    def __str__(self):
        hint = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([super().__repr__(), self.code, hint])


Graph._new_owner = GraphModule._of_dump


def _make_graph_module(root, graph, class_name="GraphModule", graph_module_cls=None):
    return (graph_module_cls or GraphModule)(root, graph, class_name)


__getattr__ = _partial.of_pytorch(__name__)
