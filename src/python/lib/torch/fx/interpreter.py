"""torch.fx.Interpreter, which runs a graph's nodes on values, and Transformer, which builds a graph of what it runs."""

import contextlib
import inspect

from _fusescope import partial_modules as _partial

from . import traceback
from ._symbolic_trace import Tracer
from .graph import Graph
from .graph_module import _make_graph_module
from .node import map_aggregate, map_arg
from .proxy import Proxy


class Interpreter:
    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module = module
        self.submodules = dict(module.named_modules())
        self.graph = module.graph if graph is None else graph
        self.env, self.name = {}, "Interpreter"
        self.garbage_collect_values, self.extra_traceback = garbage_collect_values, True
        if garbage_collect_values:
            seen, self.user_to_last_uses = set(), {}
            for user in reversed(self.graph.nodes):
                for node in user.all_input_nodes:
                    if node not in seen:
                        seen.add(node)
                        self.user_to_last_uses.setdefault(user, []).append(node)

    def run(self, *args, initial_env=None, enable_io_processing=True):
        self.env = {} if initial_env is None else initial_env
        self.args_iter = iter(self.graph.process_inputs(*args) if enable_io_processing else args)
        for node in self.graph.nodes:
            if node in self.env:
                continue
            try:
                self.env[node] = self.run_node(node)
            except Exception as e:
                if self.extra_traceback:
                    where = f"While executing {node.format_node()}\nOriginal traceback:\n{node.stack_trace}"
                    text = f"{e.args[0]}\n\n{where}" if e.args else where
                    e.args = (text, *e.args[1:])
                    if isinstance(e, KeyError):
                        raise RuntimeError(*e.args) from e
                raise
            if self.garbage_collect_values:
                for done in self.user_to_last_uses.get(node, ()):
                    del self.env[done]
            if node.op == "output":
                made = self.env[node]
                return self.graph.process_outputs(made) if enable_io_processing else made
        return None

    def boxed_run(self, args_list):
        holes = [node for node in self.graph.nodes if node.op == "placeholder"]
        if len(args_list) != len(holes):
            detail = "extra arguments" if len(args_list) > len(holes) else "missing arguments"
            raise RuntimeError(
                f"Interpreter.boxed_run expected {len(holes)} arguments for placeholders but received {len(args_list)} ({detail})"
            )
        env = dict(zip(holes, args_list))
        args_list.clear()
        return self.run(initial_env=env)

    @contextlib.contextmanager
    def _set_current_node(self, node):
        with traceback.set_current_meta(node, f"Interpreter_{type(self).__name__}"):
            yield

    def run_node(self, n):
        with self._set_current_node(n):
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target, args, kwargs):
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration as end:
            if args:
                return args[0]
            raise RuntimeError(
                f"Expected positional argument for parameter {target}, but one was not passed in!"
            ) from end

    def get_attr(self, target, args, kwargs):
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        return getattr(args[0], target)(*args[1:], **kwargs)

    def call_module(self, target, args, kwargs):
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        return args[0]

    def fetch_attr(self, target):
        atoms, value = target.split("."), self.module
        for i, atom in enumerate(atoms):
            if not hasattr(value, atom):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(atoms[: i + 1])}")
            value = getattr(value, atom)
        return value

    def fetch_args_kwargs_from_env(self, n):
        return self.map_nodes_to_values(n.args, n), dict(self.map_nodes_to_values(n.kwargs, n))

    def map_nodes_to_values(self, args, n):
        def load(node):
            if node not in self.env:
                raise RuntimeError(
                    f"Node {n} referenced nonexistent value {node}! Run Graph.lint() to diagnose such issues"
                )
            return self.env[node]

        return map_arg(args, load)


class _TransformerTracer(Tracer):
    def __init__(self, graph):
        super().__init__()
        self.graph, self.tensor_attrs = graph, {}

    def is_leaf_module(self, _, __):
        return True


class Transformer(Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.set_codegen(module.graph._codegen)
        self.tracer = _TransformerTracer(self.new_graph)
        self.tracer.root = module

    def placeholder(self, target, args, kwargs):
        default = args[0] if args else inspect.Signature.empty
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target, args, kwargs):
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target, args, kwargs):
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target, args, kwargs):
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self):
        with traceback.preserve_node_meta():
            made = super().run(enable_io_processing=False)
        if made is not None:
            output = self.new_graph.output(map_aggregate(made, lambda a: a.node if isinstance(a, Proxy) else a))
            output.meta.update(self.graph.output_node().meta)
        return _make_graph_module(self.module, self.new_graph)


__getattr__ = _partial.of_pytorch(__name__)
