"""Proxies of symbolic tracing: each operation on one adds a node to the tracer's graph.

Reason for length: the names of one module of PyTorch.
"""

import bisect
import collections
import dataclasses
import dis
import enum
import inspect
import operator

import torch
from _fusescope import partial_modules as _partial
from torch import overrides
from torch.utils import _pytree as pytree

from .graph import Graph, magic_methods, reflectable_magic_methods  # noqa: F401
from . import traceback
from .node import base_types, map_arg

# The metadata of the node that runs which a node traced meanwhile gets.
_KEPT = (
    "stack_trace",
    "nn_module_stack",
    "torch_fn",
    "source_fn_stack",
    "original_aten",
    "recompute",
    "ac_graph_id",
    "has_backward_hook",
    "from_node",
    "quantization_tag",
    "_numeric_debug_handle",
    "custom",
    "partitioner_tag",
)


class TraceError(ValueError):
    pass


class Scope:
    def __init__(self, module_path, module_type):
        self.module_path, self.module_type = module_path, module_type


class ScopeContextManager:
    """The tracer's scope inside a module's call."""

    def __init__(self, scope, current_scope):
        self._scope, self._before = scope, (scope.module_path, scope.module_type)
        scope.module_path, scope.module_type = current_scope.module_path, current_scope.module_type

    def __enter__(self):
        return self._scope

    def __exit__(self, *exc):
        self._scope.module_path, self._scope.module_type = self._before


class TracerBase:
    record_stack_traces = False
    check_mutable_operations = False
    trace_asserts = False
    proxy_buffer_attributes = False
    traced_func_name = "forward"

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        node = self.graph.create_node(kind, target, args, kwargs, name, type_expr)
        self.node_name_to_scope[node.name] = (self.scope.module_path, self.scope.module_type)
        if traceback.has_preserved_node_meta():
            current = traceback.get_current_meta()
            for key in _KEPT:
                if key in current:
                    node.meta[key] = current[key]
        elif self.module_stack:
            node.meta["nn_module_stack"] = dict(self.module_stack)
        return node

    def proxy(self, node):
        return Proxy(node, self)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        args_, kwargs_ = self.create_arg(args), self.create_arg(kwargs)
        node = self.create_node(kind, target, args_, kwargs_, name, type_expr)
        return proxy_factory_fn(node) if proxy_factory_fn else self.proxy(node)

    def create_arg(self, a):
        if isinstance(a, Proxy):
            return a.node
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple):
            items = [self.create_arg(item) for item in a]
            return type(a)(*items) if hasattr(a, "_fields") else type(a)(items)
        if isinstance(a, list):
            return [self.create_arg(item) for item in a]
        if isinstance(a, dict):
            return {self._key(k): self.create_arg(v) for k, v in a.items()}
        if isinstance(a, (slice, range)):
            return type(a)(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, (torch._ops.OpOverload, torch._ops.HigherOrderOperator)):
            return a
        if dataclasses.is_dataclass(a):
            kwargs = {field.name: self.create_arg(getattr(a, field.name)) for field in dataclasses.fields(a)}
            return self.create_node("call_function", a.__class__, (), kwargs)
        if isinstance(a, (*base_types, enum.Enum)) or a is None or a is ...:
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def _key(self, key):
        if isinstance(key, str):
            return key
        made = self.create_arg(key)

        def refuse(node):
            raise RuntimeError(f"Keys for dictionaries used as an argument cannot contain a Node. Got key: {node}")

        map_arg(made, refuse)
        return made

    def to_bool(self, obj):
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj):
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs function "
            "argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types of control flow can be "
            "traced, and check out the Proxy docstring for help troubleshooting Proxy iteration errors"
        )

    def keys(self, obj):
        return Attribute(obj, "keys")()


class GraphAppendingTracer(TracerBase):
    def __init__(self, graph):
        self.graph = graph
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.node_name_to_scope = {}


def assert_fn(x):
    if not x:
        raise AssertionError("Assertion failed")


def _instruction(frame):
    """The instructions of a frame's code, and the index of the one that runs."""
    instructions = list(dis.get_instructions(frame.f_code))
    return instructions, bisect.bisect_left(instructions, frame.f_lasti, key=lambda each: each.offset)


class Proxy:
    def __init__(self, node, tracer=None):
        overrides.active = True
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self):
        return f"Proxy({self.node.name})"

    def __getattr__(self, name):
        if name in ("node", "tracer"):
            raise AttributeError(name)
        return Attribute(self, name)

    def __deepcopy__(self, memo):
        return Proxy(self.node, self.tracer)

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", "__call__", (self,) + args, kwargs)

    def __iter__(self):
        instructions, at = _instruction(inspect.currentframe().f_back)
        if instructions[at].opname == "UNPACK_SEQUENCE":
            return (self[i] for i in range(instructions[at].argval))
        return self.tracer.iter(self)

    def __abs__(self):
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self):
        if self.tracer.trace_asserts and _asserts(inspect.currentframe().f_back):
            self.tracer.create_proxy("call_function", assert_fn, (self,), {})
            return True
        return self.tracer.to_bool(self)

    def keys(self):
        return self.tracer.keys(self)

    def __len__(self):
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call torch.fx.wrap('len') "
            "at module scope"
        )

    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        args, kwargs = args or (), kwargs or {}
        tracers = dict.fromkeys(
            leaf.tracer for leaf in pytree.tree_leaves([list(args), dict(kwargs)]) if isinstance(leaf, cls)
        )
        if len(tracers) > 1:
            raise RuntimeError(
                f"Found multiple different tracers {list(tracers)} while trying to trace operations {orig_method}"
            )
        tracer = next(iter(tracers))
        if overrides.is_tensor_method_or_property(orig_method):
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        name = tracer.graph._target_to_str(orig_method.__name__)
        return tracer.create_proxy("call_function", orig_method, args, kwargs, name=name)


def _asserts(frame):
    """True in the condition of an assert statement."""
    instructions, at = _instruction(frame)
    if instructions[at].opname != "POP_JUMP_IF_TRUE":
        return False
    first = instructions[at + 1]
    return first.opname in ("LOAD_ASSERTION_ERROR", "LOAD_COMMON_CONSTANT") or first.argval == "AssertionError"


class Attribute(Proxy):
    """An attribute of a proxy: a method if it is called, else a node of getattr, once it is used."""

    def __init__(self, root, attr):
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node = None

    @property
    def node(self):
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root,) + args, kwargs)


class ParameterProxy(Proxy):
    """A parameter whose shape is a constant of the trace."""

    def __init__(self, tracer, node, name, param):
        super().__init__(node, tracer)
        self.param, self.name = param, name

    def __repr__(self):
        return f"ParameterProxy({self.name})"

    @property
    def shape(self):
        return self.param.shape

    def size(self):
        return self.param.size()

    def dim(self):
        return self.param.dim()

    @property
    def ndim(self):
        return self.param.ndim

    def numel(self):
        return self.param.numel()

    nelement = numel


class MetaProxy(Proxy):
    """A proxy whose nodes get the value that their call gives over the values of its arguments."""

    def __init__(self, node, tracer=None, fake_mode=None):
        super().__init__(node, tracer)
        self.fake_mode = fake_mode

    def __repr__(self):
        return f"MetaProxy({self.node.name})"

    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        args, kwargs = args or (), kwargs or {}
        first = next(a for a in args if isinstance(a, MetaProxy))
        made = super().__torch_function__(orig_method, types, args, kwargs)
        given = [a.node.meta["val"] if isinstance(a, Proxy) else a for a in args]
        made.node.meta["val"] = orig_method(*given, **kwargs)
        return MetaProxy(made.node, made.tracer, first.fake_mode)


def _sign(name):
    target = getattr(operator, name, None)

    def impl(*args, **kwargs):
        return args[0].tracer.create_proxy("call_function", target, args, kwargs)

    impl.__name__ = name
    return impl


def _reflected(name):
    target = getattr(operator, name, None)

    def impl(self, rhs):
        return self.tracer.create_proxy("call_function", target, (rhs, self), {})

    impl.__name__ = impl.__qualname__ = f"__r{name.strip('_')}__"
    return impl


for _name in magic_methods:
    if hasattr(operator, _name):
        setattr(Proxy, f"__{_name.strip('_')}__", _sign(_name))
for _name in reflectable_magic_methods:
    if hasattr(operator, _name):
        setattr(Proxy, f"__r{_name.strip('_')}__", _reflected(_name))
Proxy.__hash__ = object.__hash__

__getattr__ = _partial.of_pytorch(__name__)
