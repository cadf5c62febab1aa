"""torch._export.pass_base: passes that run a graph node by node over fake tensors, and build another graph of what they call."""

import operator
import traceback
from collections.abc import Callable

import torch
from _fusescope import engine, partial_modules as _partial
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx import traceback as fx_traceback
from torch.fx.experimental.proxy_tensor import PythonKeyTracer
from torch.fx.graph import CodeGen
from torch.fx.passes.infra.pass_base import PassBase, PassResult
from torch.utils import _pytree as pytree

from .pass_infra.node_metadata import NodeMetadata
from .pass_infra.proxy_value import ExportPassBaseError, ProxyValue

Argument = Value = NodeMetadataValue = object
PassType = Callable[[fx.GraphModule], PassResult | None]

_TORCH_SYM_OPS = {
    torch.sym_int,
    torch.sym_float,
    torch.sym_ite,
    torch.sym_max,
    torch.sym_min,
    torch.sym_not,
    torch.sym_sqrt,
}
_KEPT = (torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool, int, float, bool, str)


def _unstack_pytree(xs):
    leaves, spec = pytree.tree_flatten(xs)
    if not all(isinstance(x, torch.Tensor) for x in leaves):
        raise RuntimeError(f"Leaves of xs must be Tensor {leaves}")
    if not all(x.shape[0] == leaves[0].shape[0] for x in leaves):
        raise RuntimeError(f"Leaves of xs must have same leading dimension size {[x.shape for x in leaves]}")
    return [pytree.tree_unflatten([x[i] for x in leaves], spec) for i in range(int(leaves[0].shape[0]))]


class _Tracer(PythonKeyTracer):
    """Records the new graph; modules and constant tensors become attributes of its root."""

    _prefix = staticmethod(lambda module: "submodule")

    def __init__(self, callback, codegen):
        super().__init__()
        self.callback, self.root = callback, torch.nn.Module()
        self.graph = fx.Graph()
        self.graph.set_codegen(codegen)
        self.tensor_attrs, self.submodules, self.fake_tensor_mode = {}, {}, None

    def trace(self):
        raise ExportPassBaseError("ExportTracer doesn't support trace().")

    def create_arg(self, a):
        if isinstance(a, torch.nn.Module) and a not in self.submodules:
            name = f"{self._prefix(a)}_{len(self.submodules)}"
            self.root.add_module(name, a)
            self.submodules[a] = name
        node = super().create_arg(a)
        if isinstance(a, torch.Tensor) and isinstance(node, fx.Node) and node.op == "get_attr":
            self.set_metadata(node, a)
            self.callback.on_attr(ProxyValue(a, node))
        return node

    def set_metadata(self, node, value):
        node.meta["val"] = pytree.tree_map(lambda x: x if isinstance(x, _KEPT) else None, value)


class _Interpreter(fx.Interpreter):
    """Calls the pass's method for each node."""

    def __init__(self, callback, gm):
        super().__init__(gm)
        self.callback, self.node = callback, next(iter(gm.graph.nodes))

    def placeholder(self, target, args, kwargs):
        arg = super().placeholder(target, args, kwargs)
        return self.callback.placeholder(target, arg, NodeMetadata(self.node.meta))

    def output(self, target, args, kwargs):
        return self.callback.output(args[0], NodeMetadata(self.node.meta)).data

    def call_function(self, target, args, kwargs):
        meta, callback, higher = NodeMetadata(self.node.meta), self.callback, torch.ops.higher_order
        if target == operator.getitem:
            return callback.call_getitem(*args, meta)
        if getattr(target, "__module__", None) in ("_operator", "builtins", "math") or target in _TORCH_SYM_OPS:
            return callback.call_sym(target, args, meta)
        if isinstance(target, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
            return callback.call_operator(target, args, kwargs, meta)
        calls = {
            higher.cond: callback.call_cond,
            higher.while_loop: getattr(callback, "call_while", None),
            higher.map_impl: callback.call_map,
            higher.scan: getattr(callback, "call_scan", None),
        }
        if called := next((call for op, call in calls.items() if call and op == target), None):
            return called(*args, meta)
        if isinstance(target, torch._ops.HigherOrderOperator):
            return callback._fx("call_function", target, args, kwargs, meta)
        raise ExportPassBaseError(f"Unsupported target type: {target}")

    def call_module(self, target, args, kwargs):
        raise ExportPassBaseError("call_module is not supported.")

    def call_method(self, target, args, kwargs):
        raise ExportPassBaseError("call_method is not supported.")

    def run_node(self, n):
        self.node = n
        self.callback.node_debug_str = n.format_node()
        return super().run_node(n)


class _ExportPassBaseDeprecatedDoNotUse(PassBase):
    ExportTracer, ExportInterpreter = _Tracer, _Interpreter

    @staticmethod
    def _create_dummy_node_metadata():
        return NodeMetadata({"stack_trace": "".join(traceback.format_stack(limit=1))})

    def __init__(self):
        self.interpreter = fx.Interpreter(fx.GraphModule(torch.nn.Module(), fx.Graph()))
        self.tracer = self.ExportTracer(self, CodeGen())
        self.fake_tensor_mode, self.node_debug_str, self._initialized = None, None, True
        self._running = None  # the interpreter of the graph that runs

    def _fx(self, kind, target, args, kwargs, meta):
        data = pytree.tree_map_only(ProxyValue, lambda x: x.data, (args, kwargs))
        made = self._value(kind, target, *data)
        args, kwargs = pytree.tree_map_only(ProxyValue, lambda x: x.proxy, (args, kwargs))
        name = None
        if isinstance(target, torch._ops.OpOverload):
            name = self.tracer.graph._target_to_str(target.overloadpacket.__name__)
        proxy = self.tracer.create_proxy(kind, target, args, kwargs, name=name)
        proxy.node.meta.update({key: value for key, value in meta.data.items() if key not in ("val", "tensor_meta")})
        self.tracer.set_metadata(proxy.node, made)
        return ProxyValue(made, proxy)

    def _value(self, kind, target, args, kwargs):
        """What the call gives. An operator that nobody declared, or that has no shape rule, gives what its node in the graph gave."""
        node = self._running and self._running.node
        same = node is not None and kind == "call_function" and node.target == target and "val" in node.meta
        name = getattr(getattr(target, "_op", target), "_fusescope_op", None)
        if same and not isinstance(name, str):
            return node.meta["val"]
        if same and engine.schema(name) is None:
            return node.meta["val"]
        try:
            return getattr(self.interpreter, kind)(target, args, kwargs)
        except NotImplementedError:
            if same:
                return node.meta["val"]
            raise

    def inputs(self, graph_module):
        if (args := graph_module.meta.get("args")) is not None:
            return list(args)

        def value(node):
            if "val" in node.meta:
                return node.meta["val"]
            if not node.users:
                return None
            raise ExportPassBaseError(
                f"Cannot construct an input for graph module: %{node.name} has no shape in the graph's text, and this pass runs each "
                "operator on fake tensors."
            )

        return [value(node) for node in graph_module.graph.nodes if node.op == "placeholder"]

    def on_attr(self, attr):
        """Called for each constant that becomes an attribute."""

    def placeholder(self, name, arg, meta):
        proxy = self.tracer.create_proxy("placeholder", name, (), {})
        proxy.node.meta = meta.data
        proxy.node.meta["val"] = arg
        return ProxyValue(arg, proxy)

    def call_operator(self, op, args, kwargs, meta):
        return self._fx("call_function", op, args, kwargs, meta)

    def call_sym(self, target, args, meta):
        return self._fx("call_function", target, args, {}, meta)

    def call_cond(self, pred, true_fn, false_fn, inputs, meta):
        branches = [self.call_submodule(f, tuple(inputs)).graph_module for f in (true_fn, false_fn)]
        return self._fx("call_function", torch.ops.higher_order.cond, (pred, *branches, list(inputs)), {}, meta)

    def call_map(self, f, mapped_args, operands, meta):
        xs = _unstack_pytree([arg.data for arg in mapped_args])[0]
        body = self.call_submodule(f, tuple(xs + [arg.data for arg in operands])).graph_module
        return self._fx("call_function", torch.ops.higher_order.map_impl, (body, mapped_args, operands), {}, meta)

    def call_getitem(self, value, key, meta):
        return self._fx("call_function", operator.getitem, (value, key), {}, meta)

    def output(self, results, meta):
        return self._fx("output", "output", (results,), {}, meta)

    def call_submodule(self, graph_module, inputs):
        outer = self.tracer, self.interpreter, self._running
        self.tracer = self.ExportTracer(self, graph_module.graph._codegen)
        self.tracer.fake_tensor_mode = outer[0].fake_tensor_mode
        running = self._running = self.ExportInterpreter(self, graph_module)
        self.interpreter = fx.Interpreter(fx.GraphModule(torch.nn.Module(), fx.Graph()))
        try:
            with fx_traceback.preserve_node_meta():
                running.run(*pytree.tree_map_only(ProxyValue, lambda x: x.data, inputs))
            made = fx.GraphModule(self.tracer.root, self.tracer.graph)
        finally:
            self.tracer, self.interpreter, self._running = outer
        made.meta = dict(graph_module.meta)
        return PassResult(made, True)

    def call(self, graph_module):
        if not getattr(self, "_initialized", False):
            raise ExportPassBaseError("ExportPass is not initialized with __init__().")
        inputs = self.inputs(graph_module)
        mode = next((i.fake_mode for i in inputs if isinstance(i, FakeTensor)), None) or FakeTensorMode()
        mode.allow_non_fake_inputs = True
        self.tracer.fake_tensor_mode = self.fake_tensor_mode = mode
        with mode:
            return self.call_submodule(graph_module, tuple(inputs))


__getattr__ = _partial.of_pytorch(__name__)
